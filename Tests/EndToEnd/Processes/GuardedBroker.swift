import Foundation
import Testing

/// A Mosquitto under the configuration, the rules and the certificates of `deploy/mosquitto`, in other places.
final class GuardedBroker {
    static let folder = Repository.root.appending(path: "deploy/mosquitto")
    static let accounts = ["headroom", "dispatch", "alerts", "T42", "T43"]

    let scratch: Scratch
    /// Where clients are told by their accounts, over TLS.
    let encryptedPort: Int
    private let broker: BrokerProcess

    init(_ scratch: Scratch) async throws {
        self.scratch = scratch
        let encryptedPort = try LoopbackPort.free()
        let plainPort = try LoopbackPort.free()
        self.encryptedPort = encryptedPort
        let home = scratch.directory.path() + "/"
        let shipped = try String(contentsOf: Self.folder.appending(path: "mosquitto.conf"), encoding: .utf8)
        let configuration = shipped.replacing("/etc/mosquitto/", with: home).replacing(
            "/var/lib/mosquitto/", with: home
        )
        .replacing("listener 8883\n", with: "listener \(encryptedPort) 127.0.0.1\n")
        .replacing("listener 1883 ", with: "listener \(plainPort) ")
        // As root it would become another user, to whom nothing here belongs.
        broker = try BrokerProcess(scratch, port: plainPort, configuration: configuration + "user root\n")
        try FileManager.default.copyItem(
            at: Self.folder.appending(path: "acl"), to: scratch.directory.appending(path: "acl"))
        try await makeSecrets()
        try await broker.start()
    }

    static func password(of account: String) -> String { "secret of \(account)" }

    private func makeSecrets() async throws {
        let make = Self.folder.appending(path: "make-certificates").path()
        let made = try await run(make, ["--directory", scratch.directory.path(), "localhost", "127.0.0.1"], scratch)
        try #require(made.status == 0, "make-certificates: \(made.errors)")
        for (number, account) in Self.accounts.enumerated() {
            let passwords = try await run(
                Repository.tool("mosquitto_passwd"),
                (number == 0 ? ["-c"] : []) + ["-b", scratch.path("passwords"), account, Self.password(of: account)],
                scratch)
            try #require(passwords.status == 0, "mosquitto_passwd: \(passwords.errors)")
        }
    }

    func stop(_ signal: Int32 = SIGTERM) async throws { try await broker.stop(signal) }
    func start() async throws { try await broker.start() }

    /// A gateway as the README has it be set up.
    func gateway(more: String = "") async throws -> GatewayProcess {
        let password = try scratch.write(Self.password(of: "headroom") + "\n", to: "broker-password")
        return try GatewayProcess(
            scratch, broker: "mqtts://localhost:\(encryptedPort)",
            access: ["username: headroom", "password_file: \(password)", "ca_file: \(scratch.path("ca.pem"))"],
            roads: try await demoRoads(scratch), clientID: "headroom", more: more)
    }

    /// Over TLS: one program at a time of each account.
    func clients(of account: String, password: String? = nil) -> BrokerClients {
        BrokerClients(
            options: [
                "-h", "localhost", "-p", "\(encryptedPort)", "-V", "5", "--cafile", scratch.path("ca.pem"),
                "-u", account, "-P", password ?? Self.password(of: account),
            ], scratch: scratch)
    }

    /// On the broker's own machine, where several programs may share an account.
    func operators(as account: String) -> BrokerClients {
        broker.clients(["-u", account, "-P", Self.password(of: account)])
    }
}
