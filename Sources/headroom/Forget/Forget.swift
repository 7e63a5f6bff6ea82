import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import Store
import Wire

/// `headroom forget`
struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes everything that is stored about one vehicle.",
        discussion: """
            What is known of it, its alerts, fence events and visits, its track, unsent messages and retained inputs leave \
            the store, and its state, regions, tracking, handling, profile, route and presence the broker, under each \
            fleet.topic that the gateway has run with. Open alerts end without a message. A gateway that runs is asked over \
            the broker to do it. A broker may take the account's name for the client id, as the one in deploy/mosquitto \
            does on its encrypted port: who connects with the gateway's account ends its session. Where the configuration \
            names an account, a running gateway is therefore asked only with --beside-gateway. Of a stopped one the store \
            is cleared; where the broker keeps its session, what is retained there stays, and is named, unless \
            --beside-gateway allows to lose the messages that wait for it.

            What the driver said about consent stays: under a digest in the store, and on the broker. So do clearances \
            and fences that name the vehicle, how often the fleet turned where, and what vehicles did near low bridges: \
            counts without names. A vehicle that reports again is a new one.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var config: ConfigOption

    @OptionGroup var beside: BesideGatewayOption

    @Flag(help: "Remove nothing; say what there is.")
    var dryRun = false

    @Option(help: "How long to wait for the broker, and for the gateway.")
    var timeout = DurationArgument(argument: "10 s")!

    @Option(help: "text for people; json is one object.")
    var format = Format.text

    @Argument(help: "The vehicle's id.")
    var vehicle: String

    func validate() throws {
        _ = try VehicleID(argument: vehicle)
        guard (0.1...3_600).contains(timeout.seconds) else {
            throw ValidationError("Expected --timeout from 0.1 s to 1 h, got \(timeout.seconds) s.")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let plan = try plan(try config.settingsWithPasswords())
        if let process = beside.endangeredGateway(plan.gateway.broker, plan.gateway.location) {
            throw CommandError.failed(
                "nothing was done: \(process) runs as the gateway, and might lose its session; \(BesideGatewayOption.advice)"
            )
        }
        let report = try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: waiting for the broker must not block the cooperative pool.
            let thread = Thread {
                continuation.resume(
                    with: Result { try ForgetRun(plan).run() }
                        .mapError { $0 as? CommandError ?? CommandError.failed("\($0)") })
            }
            thread.name = "forget"
            thread.start()
        }
        Terminal.print(format == .text ? report.text : report.json)
        if !report.problems.isEmpty {
            throw CommandError.failed(report.problems.joined(separator: "\nheadroom: "))
        }
    }

    private func plan(_ settings: Settings) throws -> ForgetRun.Plan {
        let vehicle = try VehicleID(argument: self.vehicle)
        do {
            return ForgetRun.Plan(
                vehicle: vehicle, gateway: try GatewayConfiguration(settings, version: programVersion),
                topicPrefix: settings.topicPrefix, timeout: .seconds(timeout.seconds), isDry: dryRun,
                mayEndSession: beside.besideGateway)
        } catch {
            throw CommandError.usage("\(error)")
        }
    }
}
