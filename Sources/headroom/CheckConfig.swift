import ArgumentParser
import Foundation
import Gateway
import HeadroomConfiguration
import Logging

/// `headroom check-config FILE`: says what is wrong with a configuration, and where.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Says what is wrong with a configuration, and where.",
        discussion: """
            HEADROOM_… variables of the environment are part of what is checked, and the files it names are read, as \
            `serve` reads them; nothing connects to the broker, which `doctor` does. Exits with 0 where all is right, and else with 2. What is allowed and most likely not meant is a \
            warning on standard error.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @Flag(help: "Print every setting in force and where it came from.")
    var print = false

    @Flag(help: "Print a commented file to start from, with every key and its default, and check nothing.")
    var defaults = false

    func validate() throws {
        guard defaults != (file != nil) else {
            throw ValidationError("Name the FILE to check, or ask for --defaults.")
        }
    }

    func run() throws {
        guard let file else {
            Terminal.write(Array(Settings.commentedDefaults.utf8))
            return
        }
        do {
            let loaded = try Settings.load(path: file, environment: ProcessInfo.processInfo.environment)
            let settings = try loaded.validated()
            for warning in loaded.warnings { Terminal.error(warning.asWarning) }
            let quiet = Logger(label: "check-config") { _ in SwiftLogNoOpLogHandler() }
            let parts = try GatewayParts(settings, keepsJoinedRoads: false, quiet) { Terminal.error("warning: \($0)") }
            try parts.files.verifyRoads(of: settings)
            Terminal.print(print ? loaded.printed : "\(file) is valid")
        } catch {
            Terminal.error("\(error)")
            throw ExitCode(2)
        }
    }
}
