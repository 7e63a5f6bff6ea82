import ArgumentParser
import Broker
import Foundation
import Gateway
import HeadroomConfiguration

/// `headroom doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks all that a gateway of this configuration needs, and says what to do.",
        discussion: """
            Looks at the files that the configuration names, the store, the disk, certificates and the clock; connects to the \
            broker as the gateway does, under another client id; and sees what the broker grants, and of a cluster whether \
            RabbitMQ has its queues. Messages are published for a vehicle, a fence and a clearance called headroom-doctor, \
            empty and retained, which removes nothing and leaves nothing.

            A broker may take the account's name for the client id, as the one in deploy/mosquitto does on its encrypted port. \
            Whoever connects with the gateway's account then ends the gateway's session. Where the configuration names an \
            account and a gateway runs, or the broker keeps the session of one that is stopped, the broker is therefore not \
            asked without --beside-gateway.

            Under MQTT 3.1.1 a broker does not tell whether it takes a message: rights to write are not checked there.
            Exits with 0 where nothing has failed, with 1 where something has, and with 2 where the configuration is wrong.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, jsonl
    }

    @OptionGroup var config: ConfigOption

    @Option(help: "How long to wait for each answer of the broker.")
    var timeout = DurationArgument(argument: "10 s")!

    @Option(help: "How long to listen for fixes, whose times are compared with the clock; 0 s: not at all.")
    var listen = DurationArgument(argument: "5 s")!

    @OptionGroup var beside: BesideGatewayOption

    @Option(help: "text for people; jsonl is one object for each check.")
    var format = Format.text

    func validate() throws {
        guard (0.1...3_600).contains(timeout.seconds), (0...3_600).contains(listen.seconds) else {
            throw ValidationError(
                "Expected --timeout from 0.1 s and --listen from 0 s, each to 1 h, got \(timeout.seconds) s and \(listen.seconds) s."
            )
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        var report = DoctorReport()
        let settings = try config.checkedSettings { warning in
            report.add(CheckResult("configuration", .warning, "\(warning)"))
        }
        let gateway: GatewayConfiguration
        do {
            gateway = try GatewayConfiguration(settings, version: programVersion)
        } catch {
            throw CommandError.usage("\(error)")
        }
        report.add(CheckResult("configuration", .ok, config.path ?? "the defaults"))
        for check in FileChecks(settings, gateway).run() + [ClockCheck.run()] { report.add(check) }
        for check in await brokerChecks(gateway) { report.add(check) }
        if settings.rabbitMQ != nil {
            for check in ClusterChecks(try ClusterTarget(settings)).run() { report.add(check) }
        }
        Terminal.print(format == .text ? report.text : report.jsonLines)
        if report.hasFailures { throw ExitCode(1) }
    }

    private func brokerChecks(_ gateway: GatewayConfiguration) async -> [CheckResult] {
        if let process = beside.endangeredGateway(gateway.broker, gateway.location) {
            let finding = "not asked: \(process) runs as the gateway, and might lose its session"
            return [CheckResult("broker", .warning, finding, advice: BesideGatewayOption.advice)]
        }
        let checks = (
            timeout: Duration.seconds(timeout.seconds), listen: Duration.seconds(listen.seconds),
            mayEndSession: beside.besideGateway
        )
        return await withCheckedContinuation { continuation in
            // A thread of its own: waiting for the broker must not block the cooperative pool.
            let thread = Thread {
                let checks = BrokerChecks(
                    gateway, timeout: checks.timeout, listen: checks.listen, mayEndSession: checks.mayEndSession)
                continuation.resume(returning: checks.run())
            }
            thread.name = "doctor"
            thread.start()
        }
    }
}
