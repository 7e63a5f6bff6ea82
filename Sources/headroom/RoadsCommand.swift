import ArgumentParser
import Foundation
import RoadImport
import Roads

/// `headroom roads …`
struct RoadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roads", abstract: "Makes and checks road files.", subcommands: [Build.self, Check.self])

    /// `headroom roads build IN… -o OUT.roads`
    struct Build: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a road file from OSM data.",
            discussion: "Reads .osm.pbf, .osm, .osm.gz and .osm.bz2; several files become one network.")

        @Argument(help: "OSM files.", completion: .file())
        var inputs: [String]

        @Option(name: .shortAndLong, help: "The road file to write.", completion: .file(extensions: ["roads"]))
        var output: String

        @Option(help: "Write what was read, and what was not understood, as JSON.", completion: .file(extensions: ["json"]))
        var report: String?

        @Flag(help: "Print the report as JSON instead of text.")
        var json = false

        func run() throws {
            for input in inputs where !FileManager.default.isReadableFile(atPath: input) {
                throw CommandFailure.usage("\(input): there is no such file, or it cannot be read")
            }
            let start = ContinuousClock.now
            var progress = ProgressBar("Reading")
            do {
                let (file, report) = try RoadBuild.build(inputs) { progress.update($0) }
                progress.finish()
                guard report.directedEdges > 0 else {
                    throw CommandFailure.failed("\(inputs.joined(separator: ", ")): there are no drivable roads in it")
                }
                try writeAtomically(file, to: output)
                try tell(report, bytes: file.count, took: ContinuousClock.now - start)
            } catch let error as OSMFileError {
                progress.finish()
                throw CommandFailure.failed("\(error)")
            } catch let error as FileError {
                throw CommandFailure.failed("\(error)")
            }
        }

        private func tell(_ report: ImportReport, bytes: Int, took: Duration) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let encoded = [UInt8](try encoder.encode(report))
            if let path = self.report { try writeAtomically(encoded + [UInt8(ascii: "\n")], to: path) }
            guard !json else { return Terminal.print(encoded) }
            Terminal.print(report.text)
            let seconds = took.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
            Terminal.print("Wrote \(output), \(bytes) bytes, in \(seconds)")
        }
    }

    /// `headroom roads check R`
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verifies every checksum of a road file and says what is in it.")

        @Argument(help: "A road file.", completion: .file(extensions: ["roads"]))
        var file: String

        func run() throws {
            do {
                let network = try RoadNetwork.open(file)
                try network.verify()
                Terminal.print("\(file) is sound: \(network.summary)")
            } catch let error as RoadFileError {
                throw CommandFailure.failed("\(file): \(error)")
            } catch {
                throw CommandFailure.failed("\(error)")
            }
        }
    }
}

extension ImportReport {
    /// For people: counts, then every height that was not understood.
    var text: String {
        var lines = [
            "Ways                \(ways), \(drivableWays) of them drivable (\(lengthKilometres) km)",
            "Nodes               \(nodes)" + (missingNodes > 0 ? ", \(missingNodes) more are named and missing" : ""),
            "Junctions           \(junctions)",
            "Directed edges      \(directedEdges)",
            "Turn restrictions   \(restrictions)" + Self.list(restrictionsIgnored, prefix: "; left aside: "),
            "Clearances          \(clearances)" + Self.list(clearancesByReading, prefix: ": "),
        ]
        if heightTextsNotUnderstood.isEmpty {
            lines.append("Heights             all understood")
        } else {
            lines.append("Heights not understood, judged as unknown:")
            lines += heightTextsNotUnderstood.sorted { $0.key < $1.key }.map { "  \($0.value) × \($0.key)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func list(_ counts: [String: Int], prefix: String) -> String {
        guard !counts.isEmpty else { return "" }
        return prefix + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
