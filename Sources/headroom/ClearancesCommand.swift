import ArgumentParser
import Clearances
import Foundation
public import RoadImport
import Roads
import Wire

extension ClearanceFormat: ExpressibleByArgument {}

/// `headroom clearances …`
struct ClearancesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clearances", abstract: "Turns clearances of other sources into what Headroom reads.",
        subcommands: [Convert.self])

    /// `headroom clearances convert IN… -o OUT.geojson`
    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Turns NBI, CSV and GeoJSON files into one GeoJSON file of clearances.",
            discussion: """
                Reads the US National Bridge Inventory (delimited with a header, or fixed width), CSV with named \
                columns (lat, lon, clearance or height, id, name, road, approach, passage, source, date; any of \
                , ; tab | between them) and GeoJSON Point Features with a clearance. Every row ends as a clearance, as \
                "no clearance" (it says that it limits no road, as many NBI records do), or as a reject with its line and \
                reason; none is guessed at. An NBI record of which one item cannot be read keeps the clearances of the \
                others and is listed as a reject as well. Rejects are counted by reason.
                """)

        enum SummaryFormat: String, ExpressibleByArgument, CaseIterable {
            case text, json
        }

        @Argument(help: "NBI, CSV or GeoJSON files.", completion: .file())
        var inputs: [String]

        @Option(name: .shortAndLong, help: "The GeoJSON file to write.", completion: .file(extensions: ["geojson"]))
        var output: String

        @Option(help: "Write the rows that were not used, as CSV: line, reason, raw, file.", completion: .file())
        var rejects: String?

        @Option(help: "What the files are, where their first lines do not tell.")
        var from: ClearanceFormat?

        @Option(help: "How to sum up: text on standard error, or json on standard output.")
        var format = SummaryFormat.text

        func run() throws {
            for input in inputs { try requireReadable(input) }
            try OutputFiles.require([("--output", output), ("--rejects", rejects)], besides: inputs)
            var collection = ClearanceCollection()
            for input in inputs { try ClearanceFile.read(input, as: from, into: &collection) }
            try writeAtomically(ClearanceGeoJSON.bytes(collection.clearances), to: output)
            if let rejects { try writeAtomically(ClearanceReject.table(collection.rejects), to: rejects) }
            try tell(ClearanceSummary(collection))
        }

        private func tell(_ summary: ClearanceSummary) throws {
            switch format {
            case .text: Terminal.error(summary.text + "\nWrote \(output)")
            case .json:
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                Terminal.print([UInt8](try encoder.encode(summary)))
            }
        }
    }
}

/// What became of the rows.
struct ClearanceSummary: Encodable {
    var rows: Int
    var clearances: Int
    /// Clearances whose value cannot be read or cannot be true.
    var unknown: Int
    /// Clearances of NBI routes under a structure, which have theirs in item 10.
    var routesUnder: Int
    var notApplicable: Int
    var rejected: Int
    var rejectedByReason: [String: Int]

    init(_ collection: ClearanceCollection) {
        rows = collection.rowsRead
        clearances = collection.clearances.count
        unknown = collection.unknown
        routesUnder = collection.routesUnderFromItem10
        notApplicable = collection.rowsWithoutLimit
        rejected = collection.rejects.count
        rejectedByReason = collection.rejectedByReason
    }

    enum CodingKeys: String, CodingKey {
        case rows, clearances, unknown, rejected
        case routesUnder = "routes_under"
        case notApplicable = "not_applicable"
        case rejectedByReason = "rejected_by_reason"
    }

    var text: String {
        var lines = [
            "Rows read        \(rows)",
            "Clearances       \(clearances)"
                + (unknown > 0 ? ", \(unknown) of them under 1 m, over 10 m or not readable: judged as unknown" : ""),
            "  routes under   \(routesUnder), by item 10",
            "No clearance     \(notApplicable), where the row says that no road is limited",
            "Rejected         \(rejected)",
        ]
        lines += rejectedByReason.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) × \($0.key)" }
        return lines.joined(separator: "\n")
    }
}
