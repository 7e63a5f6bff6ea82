import Fleet
import Foundation
import Geo
import Messages
import Testing

/// Visits as `headroom visits` shows them, over a real broker and a real store.
struct VisitEndToEndTests {
    private static let gate = Coordinate(latitude: 42.28, longitude: -83.75)

    private static func place(_ east: Metres) -> Coordinate {
        LocalPlane(latitude: gate.latitude).coordinate(Vector(east: east, north: 0), from: gate)
    }

    /// A fix a second: in from the west, a stay at the gate between two times, and off to the east where it is seen to leave.
    private static func stay(
        _ start: Timestamp, from arrival: Seconds, to departure: Seconds, topicSuffixes: Bool = true,
        accuracy: Metres = 5
    ) -> [Fix] {
        func fix(at time: Seconds, east: Metres, speed: MetresPerSecond) -> Fix {
            Fix(position: place(east), time: start.adding(time), accuracy: accuracy, speed: speed)
        }
        var fixes = (-30..<0).map { fix(at: arrival + Seconds($0), east: Metres($0) * 20, speed: 20) }
        fixes += stride(from: arrival, through: departure, by: 1).map { fix(at: $0, east: 0, speed: 0) }
        if topicSuffixes {
            fixes += (1...30).map { fix(at: departure + Seconds($0), east: Metres($0) * 20, speed: 20) }
        }
        return fixes
    }

    @Test("Every way in which an overlap can be uncertain is shown with its reason", .timeLimit(.minutes(6)))
    func overlaps() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: nil,
            more: "fixes: {reorder: 1 s, gap: 1 min}\nvisits: {duration: 20 s}")
        let listener = try await broker.listener(["fleet/+/visit"])
        try await gateway.start()
        let start = Timestamp.now.adding(-700)
        let elsewhere = Fix(position: Self.place(9000), time: start.adding(560), accuracy: 5)
        let trucks: [String: [Fix]] = [
            // Fell silent after 160, seen elsewhere at 560.
            "gone": Self.stay(start, from: 100, to: 160, topicSuffixes: false) + [elsewhere],
            "early": Self.stay(start, from: 150, to: 200),
            "also-early": Self.stay(start, from: 170, to: 200),
            "late": Self.stay(start, from: 300, to: 330),
            "vague-1": Self.stay(start, from: 600, to: 640, accuracy: 80),
            "vague-2": Self.stay(start, from: 600, to: 640, accuracy: 80),
            // Falls silent ten seconds after it came; its arrival is due in ten.
            "asleep": Self.stay(start, from: 690, to: 700, topicSuffixes: false),
        ]
        for (truck, fixes) in trucks {
            try await broker.publish("fleet/\(truck)/location", "[" + fixes.map(\.json).joined(separator: ",") + "]")
        }
        try await eventually(within: .seconds(40), "not told of all: \(listener.heard.count)") {
            listener.heard("fleet/asleep/visit").count == 1 && listener.heard.count == 13
        }
        let arrival = try #require(listener.heard("fleet/asleep/visit").first?.object)
        #expect(arrival["phase"] as? String == "arrived" && arrival["confirmed"] as? Bool == false)
        // Another, which stays while that one sleeps.
        let awake = Self.stay(start, from: 720, to: 745, topicSuffixes: false)
        try await broker.publish("fleet/awake/location", "[" + awake.map(\.json).joined(separator: ",") + "]")
        try await eventually(within: .seconds(10), "awake") { listener.heard("fleet/awake/visit").count == 1 }

        let shown = try await visits(["--overlap"], gateway, scratch)
        let overlaps = shown.compactMap { overlap -> String? in
            let sides = (overlap["visits"] as? [[String: Any]] ?? []).compactMap { $0["vehicle"] as? String }
            let reasons = (overlap["reasons"] as? [[String: Any]] ?? []).map { reason in
                [reason["reason"], reason["vehicle"]].compactMap { $0 as? String }.joined(separator: " ")
            }
            #expect(overlap["uncertain"] as? Bool == !reasons.isEmpty)
            return sides.joined(separator: "+") + (overlap["seen"] as? Bool == true ? " seen" : "")
                + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", "))
        }
        #expect(
            Set(overlaps) == [
                "early+gone seen: missing-departure gone", "also-early+early seen",
                "also-early+gone: missing-departure gone", "gone+late: missing-departure gone",
                "vague-1+vague-2 seen: accuracy",
                "asleep+awake: missing-departure asleep, unconfirmed asleep",
            ])

        // It wakes elsewhere: it is on no visit, and met nobody.
        let far = Fix(position: Self.place(250), time: .now, accuracy: 5)
        try await broker.publish("fleet/asleep/location", far.json)
        try await broker.publish(
            "fleet/asleep/location", Fix(position: Self.place(260), time: far.time.adding(2), accuracy: 5).json)
        try await eventually(within: .seconds(20), "withdrawn") {
            listener.heard("fleet/asleep/visit").last?.object?["phase"] as? String == "withdrawn"
        }
        let vehicles = try await visits([], gateway, scratch).compactMap { $0["vehicle"] as? String }
        let visited = Set(trucks.keys).subtracting(["asleep"]).union(["awake"])
        #expect(Set(vehicles) == visited)
        try await gateway.stop()
    }

    /// One object for each line that the command prints.
    private func visits(_ arguments: [String], _ gateway: GatewayProcess, _ scratch: Scratch) async throws
        -> [[String: Any]]
    {
        let shown = try await run(
            Repository.program, ["visits", "--config", gateway.configuration, "--format", "jsonl"] + arguments, scratch)
        #expect(shown.status == 0, "\(shown.errors)")
        return shown.output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }
}
