import Fleet
import Foundation
import Geo
import Messages
import Wire

/// What simulated trucks were told, printed as it comes and judged at the end.
struct SimulateWatch {
    /// The members of an alert or a request that are shown or judged.
    private struct DriverMessage: Decodable {
        struct Detour: Decodable {
            var distance: Metres
        }

        var id: String
        var sequence: Int
        var stage: AlertMessage.Stage?
        var attention: AlertMessage.Attention?
        var kind: RequestMessage.Kind?
        var distance: Metres?
        var eta: Seconds?
        var detour: Detour?
        var text: String
    }

    /// What one truck received.
    private struct ReceivedMessages {
        var stages: [AlertMessage.Stage] = []
        var requests: [RequestMessage.Kind] = []
        /// Ids with sequences: QoS 1 may bring one twice.
        var seen: Set<String> = []
    }

    static let topicSuffixes: [TopicSuffix] = [.alert, .request]
    /// Above this one subscription for all vehicles is less to the broker than one for each.
    private static let topicsMax = 200

    let topics: [String]
    private let trucks: [SimulatedTruck]
    private let truckByTopic: [String: Int]
    private var received: [ReceivedMessages]

    init(_ trucks: [SimulatedTruck], _ pattern: TopicPattern) {
        self.trucks = trucks
        let pairs = trucks.enumerated().flatMap { index, truck in
            Self.topicSuffixes.compactMap { topicSuffix in
                pattern.topic(for: truck.address, topicSuffix).map { ($0, index) }
            }
        }
        topics = pairs.count <= Self.topicsMax ? pairs.map(\.0) : Self.topicSuffixes.map(pattern.filter)
        truckByTopic = Dictionary(pairs) { first, _ in first }
        received = Array(repeating: ReceivedMessages(), count: trucks.count)
    }

    // MARK: While they drive

    /// - Returns: lines to print; nil for what was heard before, and for what is no alarm or request.
    mutating func receive(topic: String, payload: [UInt8], after elapsed: Seconds) -> String? {
        guard let index = truckByTopic[topic],
            let message = try? JSONDecoder().decode(DriverMessage.self, from: Data(payload)),
            message.attention != .notice,
            received[index].seen.insert("\(message.id) \(message.sequence)").inserted
        else { return nil }
        if let stage = message.stage { received[index].stages.append(stage) }
        if let kind = message.kind { received[index].requests.append(kind) }
        let title = message.stage?.rawValue ?? message.kind?.rawValue ?? ""
        let seconds = Int(elapsed)
        let clock = String(format: "%3d:%02d", seconds / 60, seconds % 60)
        let place = Self.place(message, trucks[index].units).map { ", \($0)" } ?? ""
        return "\(clock)  \(title)  \(trucks[index].name)\(place)\n        \(message.text)"
    }

    /// How far, and how long, before the last turn-off and the bridge; nil where both are behind.
    private static func place(_ message: DriverMessage, _ units: UnitSystem) -> String? {
        guard let stage = message.stage, !stage.isEnd, let distance = message.distance, let eta = message.eta,
            distance > 0
        else { return nil }
        func lead(_ metres: Metres) -> String {
            "\(length(metres, units)) (\(Int((eta * metres / distance).rounded())) s)"
        }
        let bridge = "\(lead(distance)) before the bridge"
        guard stage != .stop, let detour = message.detour else { return bridge }
        return "\(lead(detour.distance)) before the last turn-off, \(bridge)"
    }

    private static func length(_ metres: Metres, _ units: UnitSystem) -> String {
        let (large, name, small, smallName) =
            units == .imperial ? (Unit.mile, "mi", Unit.foot, "ft") : (1_000, "km", 1, "m")
        if metres >= large / 5 { return String(format: "%.2f \(name)", metres / large) }
        return "\(Int((metres / small).rounded())) \(smallName)"
    }

    // MARK: At the end

    /// How many trucks were not told exactly what was expected.
    var failures: Int { trucks.indices.count { !isAsExpected($0) } }

    /// How many messages of each kind came.
    var summary: String {
        let all = received.flatMap { $0.stages.map(\.rawValue) + $0.requests.map(\.rawValue) }
        let counts = Dictionary(grouping: all) { $0 }.mapValues(\.count)
        let names = AlertMessage.Stage.allCases.map(\.rawValue) + RequestMessage.Kind.allCases.map(\.rawValue)
        let parts = names.compactMap { name in counts[name].map { "\($0) \(name)" } }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// One line a truck of which something was expected or that was told something: what was expected, what came. Nil
    /// where there is none.
    var table: String? {
        let shown = trucks.indices.filter {
            trucks[$0].expectation != nil || !received[$0].seen.isEmpty
        }
        guard !shown.isEmpty else { return nil }
        let rows = shown.map { index in
            [
                trucks[index].address.vehicle.text,
                trucks[index].expectation.map { Self.list($0.stages, $0.request.map { [$0] } ?? []) } ?? "-",
                Self.list(received[index].stages, received[index].requests),
                trucks[index].expectation == nil ? "" : isAsExpected(index) ? "as expected" : "NOT AS EXPECTED",
            ]
        }
        let all = [["vehicle", "expected", "told", ""]] + rows
        let widths = (0..<3).map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let padded = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) } + [row[3]]
            return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    private func isAsExpected(_ index: Int) -> Bool {
        guard let expected = trucks[index].expectation else { return true }
        return received[index].stages == expected.stages
            && received[index].requests == (expected.request.map { [$0] } ?? [])
    }

    private static func list(_ stages: [AlertMessage.Stage], _ requests: [RequestMessage.Kind]) -> String {
        let all = stages.map(\.rawValue) + requests.map(\.rawValue)
        return all.isEmpty ? "nothing" : all.joined(separator: ", ")
    }
}
