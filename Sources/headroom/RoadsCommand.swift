import ArgumentParser
import Clearances
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
            discussion: """
                Reads .osm.pbf, .osm, .osm.gz and .osm.bz2; several files become one network. Road files are read as well: \
                they keep what they were built from, and joining files of this program gives what one build of all \
                their OSM files gives.
                """)

        @Argument(help: "OSM files, or road files to join.", completion: .file())
        var inputs: [String]

        @Option(name: .shortAndLong, help: "The road file to write.", completion: .file(extensions: ["roads"]))
        var output: String

        @Option(
            parsing: .upToNextOption,
            help: "Clearances from elsewhere, as GeoJSON: what `headroom clearances convert` writes.",
            completion: .file(extensions: ["geojson"]))
        var clearances: [String] = []

        @Option(help: "How far from the road that it limits such a clearance may lie.")
        var snapDistance = LengthArgument(argument: "40 m")!

        @Option(
            help: "Write what was read, and what was not understood, as JSON.", completion: .file(extensions: ["json"]))
        var report: String?

        @Flag(
            inversion: .prefixedNo,
            help: "Keep water, woods, built-up land, railways, borders and names of places, for the console's map.")
        var baseMap = true

        @Option(help: "How to print the report: text for people, json for programs.")
        var format = Format.text

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, json
        }

        func validate() throws {
            guard RoadNetworkBuilder.snapDistances.contains(snapDistance.metres) else {
                throw ValidationError("Expected --snap-distance from 0 m to 1000 m, got \(snapDistance.text).")
            }
        }

        func run() throws {
            for input in inputs + clearances { try requireReadable(input) }
            try OutputFiles.require([("--output", output), ("--report", report)], besides: inputs + clearances)
            let start = ContinuousClock.now
            let points = try readClearances()
            var progress = ProgressBar("Reading")
            do {
                let (file, report) = try RoadBuild.build(
                    inputs, clearances: points, snapDistance: snapDistance.metres, keepsBaseMap: baseMap
                ) { progress.update($0) }
                progress.finish()
                guard report.directedEdges > 0 else {
                    throw CommandError.failed("\(inputs.joined(separator: ", ")): there are no drivable roads in it")
                }
                try writeAtomically(file, to: output)
                tellUnsnapped(report)
                try tell(report, bytes: file.count, took: ContinuousClock.now - start)
            } catch let error as OSMFileError {
                progress.finish()
                throw CommandError.failed("\(error)")
            } catch let error as FileError {
                throw CommandError(error)
            }
        }

        /// Says of each entry that cannot be used where it stands and what is wrong with it.
        private func readClearances() throws -> ClearanceCollection {
            do {
                let collection = try ClearanceFile.readGeoJSON(clearances)
                for reject in collection.rejects {
                    Terminal.error("\(reject.file):\(reject.line): \(reject.message); not used")
                }
                return collection
            } catch {
                throw CommandError.failed("\(error)")
            }
        }

        /// The first of them by name; the report has them all.
        private func tellUnsnapped(_ report: ImportReport) {
            let all = report.unsnapped.sorted { $0.key < $1.key }
            for (id, reason) in all.prefix(10) {
                let why = reason == .tooFar ? "no road within \(snapDistance.text)" : "\(reason)"
                Terminal.error("\(id): \(why); it is kept, and limits no road")
            }
            guard all.count > 10 else { return }
            Terminal.error("… and \(all.count - 10) more without a road; --report FILE names them all")
        }

        private func tell(_ report: ImportReport, bytes: Int, took: Duration) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let encoded = [UInt8](try encoder.encode(report))
            if let path = self.report { try writeAtomically(encoded + [UInt8(ascii: "\n")], to: path) }
            guard format == .text else { return Terminal.print(encoded) }
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
                Terminal.print(network.baseMapText)
            } catch let error as RoadFileError {
                throw CommandError.failed("\(file): \(error)")
            }
        }
    }
}

extension RoadNetwork {
    fileprivate var baseMapText: String {
        guard hasBaseMap else { return "Base map: none" }
        let counts = baseMapCounts.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
        return "Base map: \(counts); \(baseMapBytes) bytes"
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
            "Turn restrictions   \(restrictions)" + Self.list(restrictionsIgnored, prefix: "; not used: "),
            "Clearances          \(clearances)" + Self.list(clearancesByReading, prefix: ": "),
        ]
        if clearancesSnapped + clearancesUnsnapped.count + clearancesOverridden + clearancesRejected.count > 0 {
            lines += [
                "From other sources  \(clearancesSnapped) on their road, \(clearancesOverridden) in place of OSM's",
                "  without a road    \(clearancesUnsnapped.values.reduce(0, +))"
                    + Self.list(clearancesUnsnapped, prefix: ": "),
                "  not used          \(clearancesRejected.values.reduce(0, +))"
                    + Self.list(clearancesRejected, prefix: ": "),
            ]
        }
        if clearancesMerged > 0 {
            lines.append(
                "Same structure      \(clearancesMerged) clearances tell of one that another, no higher, tells of too")
        }
        if !baseMap.isEmpty { lines.append("Base map            " + Self.list(baseMap, prefix: "")) }
        if baseMapLeftOut > 0 { lines.append("  too large         \(baseMapLeftOut)") }
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
