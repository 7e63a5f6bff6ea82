import ArgumentParser
import Foundation
import RoadImport
import Traces

/// `headroom`: one subcommand a file.
@main
struct Headroom: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Tells trucks that are too tall for a bridge about a mile before their last turn-off.",
        version: programVersion,
        subcommands: [
            Serve.self, CheckConfig.self, RoadsCommand.self, ClearancesCommand.self, ApproachesCommand.self,
            Replay.self, Evaluate.self, Learn.self, Simulate.self, CompareTracking.self, Visits.self, Track.self,
            ReportCommand.self, Cab.self, Backup.self, StoreCommand.self, ClusterCommand.self, Forget.self, Doctor.self,
        ])

    /// Exits 0 when done, 1 when something failed, 2 when it was asked for wrongly: also where a file that is to be read is not
    /// there, is a directory or may not be read.
    static func main() async {
        // A reader that goes away (`headroom … | head`) is no crash.
        signal(SIGPIPE, SIG_DFL)
        // A limit of the size of files is an error of the write, which is told, and what was written is removed.
        signal(SIGXFSZ, SIG_IGN)
        Terminal.reserveClosedStreams()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as CommandError {
            end(error)
        } catch let error as FileError {
            end(CommandError(error))
        } catch {
            end(with: error)
        }
    }

    private static func end(_ error: CommandError) -> Never {
        Terminal.error(error.description)
        Foundation.exit(error.status)
    }

    private static func end(with error: any Error) -> Never {
        let status = exitCode(for: error)
        if error is ExitCode { Foundation.exit(status.rawValue) }
        switch status {
        case .success:
            // Help, the version or a completion script.
            Terminal.print(fullMessage(for: error))
            Foundation.exit(0)
        case .validationFailure:
            Terminal.error(fullMessage(for: error))
            Foundation.exit(2)
        default:
            Terminal.error("headroom: \(error)")
            Foundation.exit(1)
        }
    }
}

/// Changes with every release.
let programVersion = "0.1.0"

/// Why a command ends: a sentence and an exit code.
struct CommandError: Error, CustomStringConvertible {
    var description: String
    var status: Int32

    /// Something failed while doing what was asked.
    static func failed(_ text: String) -> CommandError { CommandError(description: "headroom: \(text)", status: 1) }
    /// What was asked for cannot be.
    static func usage(_ text: String) -> CommandError { CommandError(description: "headroom: \(text)", status: 2) }
}

extension CommandError {
    /// A file that cannot be opened was named wrongly; one that holds something else, or cannot be written, is a failure.
    init(_ error: FileError) { self = error.isUnopened ? .usage("\(error)") : .failed("\(error)") }
}

extension Trace {
    /// Reads a trace, and names on standard error what cannot be used of it.
    static func read(_ path: String, _ setting: TraceSetting) throws(CommandError) -> Trace {
        do throws(TraceFileError) {
            return try Trace(path, setting) { Terminal.error($0) }
        } catch {
            switch error {
            case .misnamed(let text): throw .usage(text)
            case .unusable(let text): throw .failed(text)
            }
        }
    }

    /// Reads all traces that can be used: one that cannot does not keep the others from being used.
    ///
    /// - Returns: the traces, and the first failure, where not all can be used.
    /// - Throws: where none can.
    static func readAll(_ paths: [String], _ setting: TraceSetting) throws -> ([Trace], CommandError?) {
        var found: [Trace] = []
        var failure: CommandError?
        for path in paths {
            do throws(CommandError) {
                found.append(try read(path, setting))
            } catch {
                guard paths.count > 1 else { throw error }
                Terminal.error(error.description)
                failure = failure ?? error
            }
        }
        if let failure, found.isEmpty { throw ExitCode(failure.status) }
        return (found, failure)
    }
}
