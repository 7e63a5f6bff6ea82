import Foundation
import GatewayTestSupport
import GRDB
import Hashing
import MQTT

/// What came of a run.
struct Outcome {
    /// What did not hold on the way; nil: nothing.
    var violation: String?
    /// Payloads of what happened, by key: topic, kind, id and sequence.
    private(set) var messages: [String: [UInt8]] = [:]
    /// How often the key that was said most often was said.
    private(set) var timesMax = 0
    /// How things are in the end, by topic.
    private(set) var states: [String: [UInt8]] = [:]
    /// Positions, turns, retained inputs and the history as stored in the end, a row a line.
    private(set) var rows: Set<String> = []
    var waitMax = 0
    var endings = 0
    var cuts = 0
    /// How many faults there were, by their names.
    var faults: [String: Int] = [:]
    /// Of all that was published, in its order, and all that is stored: equal for equal runs.
    private(set) var digest: UInt64 = 0

    init(published: [Publication], storePath: String) throws {
        var hash = FNV1a()
        var times: [String: Int] = [:]
        for publication in published where publication.topic.hasPrefix("fleet/") {
            hash.combine(publication.topic.utf8)
            hash.combine(publication.payload)
            if publication.retain {
                states[publication.topic] = publication.payload
                continue
            }
            let key = try Self.key(publication)
            times[key, default: 0] += 1
            if let earlier = messages[key], earlier != publication.payload {
                violation = "\(key) was said twice, and not the same"
            }
            messages[key] = publication.payload
        }
        timesMax = times.values.max() ?? 0
        rows = try Self.rows(storePath)
        for row in rows.sorted() { hash.combine(row.utf8) }
        digest = hash.value
    }

    private static func key(_ publication: Publication) throws -> String {
        let payload = try JSONSerialization.jsonObject(with: Data(publication.payload)) as? [String: Any] ?? [:]
        let kind = payload["stage"] ?? payload["event"] ?? payload["phase"] ?? payload["kind"] ?? ""
        return "\(publication.topic) \(kind) \(payload["id"] ?? "") \(payload["sequence"] ?? 1)"
    }

    private static let queries = [
        "SELECT 'position', vehicle, time, latitude, longitude FROM position JOIN track ON track.number = track",
        "SELECT 'turn', way, from_node, to_node, next_way, next_from_node, next_to_node, count FROM turn",
        "SELECT 'retained', topic, hex(payload) FROM retained", "SELECT 'history', id, sequence, type FROM history",
    ]

    private static func rows(_ path: String) throws -> Set<String> {
        try DatabaseQueue(path: path).read { database in
            var rows: Set<String> = []
            for query in queries {
                for row in try Row.fetchAll(database, sql: query) {
                    rows.insert(row.databaseValues.map { "\($0)" }.joined(separator: " "))
                }
            }
            return rows
        }
    }

    /// What differs from a run without faults that is not documented; empty: nothing.
    ///
    /// - Parameter comparesAlerts: false: alerts may differ.
    func differences(from whole: Outcome, comparesAlerts: Bool) -> [String] {
        // Where a fix may have been older than a minute when it was judged, it has raised no alert.
        let isStrict = comparesAlerts && waitMax < 50_000
        func counts(_ key: String) -> Bool { isStrict || !key.contains("/alert ") }
        var lines = whole.messages.keys.filter { messages[$0] == nil && counts($0) }.sorted().map { "missing: \($0)" }
        lines += messages.keys.filter { whole.messages[$0] == nil && counts($0) }.sorted().map { "extra: \($0)" }
        if timesMax > 1 + endings + cuts { lines.append("a message was published \(timesMax) times") }
        func countsRow(_ row: String) -> Bool { isStrict || !(row.hasPrefix("\"history\"") && row.contains("alert")) }
        lines += whole.rows.subtracting(rows).filter(countsRow).sorted().map { "not stored: \($0)" }
        lines += rows.subtracting(whole.rows).filter(countsRow).sorted().map { "stored: \($0)" }
        return lines
    }
}
