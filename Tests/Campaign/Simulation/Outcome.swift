import Foundation
import GatewayTestSupport
import GRDB
import Hashing
import MQTT
import Wire

/// What came of a run.
struct Outcome {
    /// What did not hold on the way; nil: nothing.
    var violation: String?
    /// What happened, by key: topic, kind, id and sequence; and when it was said first, in milliseconds.
    private(set) var messages: [String: (payload: [UInt8], time: Int)] = [:]
    /// How often the key that was said most often was said.
    private(set) var timesMax = 0
    /// Positions, turns, retained inputs and the history as stored in the end, a row a line.
    private(set) var rows: Set<String> = []
    /// For how many milliseconds a fix waited at most until it was acknowledged.
    var waitMax = 0
    /// `Observer.mayDiffer`
    var mayDiffer: [String: Int] = [:]
    /// `Observer.absences`
    var absences: [Range<Int>] = []
    /// `Observer.lateFences`
    var lateFences: Set<String> = []
    /// `Observer.undoneAt`
    let undoneAt: Int?
    /// `Observer.passTime`
    var passTime = 0.0
    var endings = 0
    var cuts = 0
    /// How many faults there were, by their names.
    var faults: [String: Int] = [:]
    /// Of all that was published, in its order, and all that is stored: equal for equal runs.
    private(set) var digest: UInt64 = 0

    /// - Parameter rows: as stored in the end, a row a line.
    init(
        published: [(publication: Publication, time: Int)], rows: Set<String>, undoneAt: Int? = nil
    ) throws {
        self.undoneAt = undoneAt
        let parser = JSONParser()
        var hash = FNV1a()
        var times: [String: Int] = [:]
        var (newest, states): ([String: Int], [String: Int]) = ([:], [:])
        for (publication, time) in published where publication.topic.hasPrefix("fleet/") {
            hash.combine(publication.topic.utf8)
            hash.combine(publication.payload)
            if publication.retain {
                let sequence = try Self.sequence(publication, parser)
                states[publication.topic] = sequence
                // An empty one ends what went before.
                newest[publication.topic] = sequence.map { max($0, newest[publication.topic] ?? $0) }
                continue
            }
            let key = try Self.key(publication, parser)
            times[key, default: 0] += 1
            // Who has forgotten that it has said something may say something else.
            if let earlier = messages[key], earlier.payload != publication.payload, time < undoneAt ?? .max {
                violation = "\(key) was said twice, and not the same"
            }
            if messages[key] == nil { messages[key] = (publication.payload, time) }
        }
        timesMax = times.values.max() ?? 0
        if undoneAt == nil, let topic = newest.keys.sorted().first(where: { newest[$0] != states[$0] }) {
            violation = "in the end \(topic) has an older message than it had before"
        }
        self.rows = rows
        for row in rows.sorted() { hash.combine(row.utf8) }
        digest = hash.value
    }

    /// Nil where it has none.
    private static func sequence(_ publication: Publication, _ parser: JSONParser) throws -> Int? {
        if publication.payload.isEmpty { return nil }
        return try parser.read(publication.payload) { $0["sequence"]?.integer ?? $0["version"]?.integer }
    }

    private static func key(_ publication: Publication, _ parser: JSONParser) throws -> String {
        try parser.read(publication.payload) { message in
            let kind = message["stage"] ?? message["event"] ?? message["phase"] ?? message["kind"]
            let (id, sequence) = (message["id"]?.string ?? "", message["sequence"]?.integer ?? 1)
            return "\(publication.topic) \(kind?.string ?? "") \(id) \(sequence)"
        }
    }

    /// - Parameter hex: writes bytes as text.
    static func queries(hex: (String) -> String) -> [String] {
        [
            "SELECT 'position', vehicle, time, latitude, longitude FROM position JOIN track ON track.number = track",
            "SELECT 'turn', way, from_node, to_node, next_way, next_from_node, next_to_node, count FROM turn",
            "SELECT 'retained', topic, \(hex("payload")) FROM retained",
            "SELECT 'history', id, sequence, type FROM history",
        ]
    }

    /// What an SQLite file holds.
    static func rows(of path: String) throws -> Set<String> {
        try DatabaseQueue(path: path).read { database in
            var rows: Set<String> = []
            for query in queries(hex: { "hex(\($0))" }) {
                for row in try Row.fetchAll(database, sql: query) {
                    rows.insert(row.databaseValues.map { "\($0)" }.joined(separator: " "))
                }
            }
            return rows
        }
    }

    /// What differs from a run without faults that is not documented; empty: nothing.
    ///
    /// - Parameter end: what was said by then is compared; nil: all, and all that is stored.
    func differences(from whole: Outcome, before end: Int?) -> [String] {
        var lines: [String] = []
        for (key, message) in whole.messages.sorted(by: { $0.key < $1.key }) where messages[key] == nil {
            // It may have had to wait until then.
            let isBefore = end.map { message.time + waitMax + 1_000 < $0 } ?? true
            if isBefore, isSame(key, message) { lines.append("missing: \(key)") }
        }
        for (key, message) in messages.sorted(by: { $0.key < $1.key }) where whole.messages[key] == nil {
            if message.time < end ?? .max, isSame(key, message) { lines.append("extra: \(key)") }
        }
        if timesMax > 1 + endings + cuts { lines.append("a message was published \(timesMax) times") }
        guard end == nil else { return lines }
        let differing = [self, whole].flatMap { $0.messages.filter { !isSame($0.key, $0.value) }.keys }
        let ids = Set(differing.map(Self.id))
        func counts(_ row: String) -> Bool {
            let words = row.split(separator: " ")
            return words[0] != "\"history\"" || !ids.contains(String(words[1].filter { $0 != "\"" }))
        }
        var (missing, extra) = (
            whole.rows.subtracting(rows).filter(counts), rows.subtracting(whole.rows).filter(counts)
        )
        // A vehicle in a quiet circle is not looked at, and one whose height counts later is in it later.
        let turns = [missing, extra].map { rows in rows.filter { $0.hasPrefix("\"turn\"") } }
        if turns.allSatisfy({ $0.count <= mayDiffer.count }) {
            missing.subtract(turns[0])
            extra.subtract(turns[1])
        }
        lines += missing.sorted().map { "not stored: \($0)" }
        lines += extra.sorted().map { "stored: \($0)" }
        return lines
    }

    private static func id(_ key: String) -> String { key.split(separator: " ").dropLast().last.map(String.init) ?? "" }

    /// Whether a message has to be the same with faults: all but some alerts and requests, and the events of some fences.
    private func isSame(_ key: String, _ message: (payload: [UInt8], time: Int)) -> Bool {
        let levels = key.prefix { $0 != " " }.split(separator: "/")
        switch levels.last {
        case "event": return lateFences.isEmpty || !isOfLateFence(message.payload)
        // Nobody is asked for what has come before it could be asked for.
        case "request" where absences.contains { $0.contains(message.time) }: return false
        case "alert", "request": return mayDiffer[String(levels[1])].map { message.time < $0 } ?? true
        default: return true
        }
    }

    private func isOfLateFence(_ payload: [UInt8]) -> Bool {
        let event = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        let fence = (event?["fence"] as? [String: Any])?["id"] as? String
        return fence.map(lateFences.contains) ?? false
    }
}
