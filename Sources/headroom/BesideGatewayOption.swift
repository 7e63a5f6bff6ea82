import ArgumentParser
import Broker
import Store

/// `--beside-gateway`, of commands that connect to the broker with the gateway's account.
///
/// A broker may take the account's name for the client id, as the one in `deploy/mosquitto` does on its encrypted port.
/// Whoever connects with the gateway's account then takes its session over, and what waits in it is lost.
struct BesideGatewayOption: ParsableArguments {
    @Flag(help: "Connect with the gateway's account though that may end the session of a gateway, running or stopped.")
    var besideGateway = false

    static let advice =
        "stop the gateway, or give --beside-gateway where the broker lets an account connect more than once"

    /// The process that might lose its session by a connection to the broker; nil where none can, or it was allowed.
    func endangeredGateway(_ broker: BrokerSettings, _ store: StoreLocation) -> String? {
        besideGateway ? nil : Self.gateway(broker, store)
    }

    /// The process that has the store open and connects with the account that the settings name; nil where there is none.
    static func gateway(_ broker: BrokerSettings, _ store: StoreLocation) -> String? {
        guard broker.username != nil, let owner = Store.owner(of: store) else { return nil }
        return owner.process.map { "process \($0)" } ?? "another process"
    }
}
