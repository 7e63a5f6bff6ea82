import Fleet
import Foundation
import Geo
import Messages
import Testing

/// The same fixes lead to the same messages, by their keys, whether or not the broker was away meanwhile.
struct BrokerOutageTests {
    /// How the broker is away.
    enum Outage: CaseIterable {
        /// It stands still, and goes on.
        case stopped
        /// It is killed, and started again with the sessions that it had written down.
        case killed
    }

    /// Longer than all of these, as the fence's own times and the hysteresis are a tenth of what they are by default: what fell due
    /// by time alone would fall due.
    private static let outage = 14..<30
    private static let seconds = 42
    private static let settings = "fixes: {reorder: 1 s, hysteresis_time: 2 s}"

    private static let fence = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
         "properties": {"radius": 200, "dwell": "5 s"}}
        """#.replacing("\n", with: "")

    /// Metres north of the middle of the fence at each second: one drives in and out, one rests inside of it, one leaves it just as
    /// the broker goes away and is back before that is certain, one comes while the broker is away.
    private static let ways: [String: @Sendable (Int) -> Double] = [
        "T1": { second in 400 - Double(second * 40 % 800) }, "T2": { second in max(20, 500 - Double(second) * 40) },
        "T3": { second in second == 13 ? 230 : 100 }, "T4": { second in max(0, 1_100 - Double(second) * 50) },
    ]

    /// A broker with a gateway, and all that the gateway says there.
    private struct Side {
        var broker: BrokerProcess
        var gateway: GatewayProcess
        var listeners: [Listener]

        init(_ scratch: Scratch, _ name: String) async throws {
            let port = try LoopbackPort.free()
            let place = scratch.directory.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            broker = try BrokerProcess(
                scratch, port: port,
                configuration: """
                    listener \(port) 127.0.0.1
                    allow_anonymous true
                    user root
                    max_queued_messages 100000
                    persistence true
                    persistence_location \(place.path())/
                    autosave_on_changes true
                    autosave_interval 1
                    """)
            try await broker.start()
            gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil, name: name, more: settings)
            try await gateway.start()
            listeners = [try await Self.listener(broker)]
            try await broker.publish("headroom/fences/yard", fence, retain: true)
            let gateway = gateway
            try await eventually(within: .seconds(10), "the fence is not in force") {
                try await gateway.get("/api/v1/fences").body.contains("yard")
            }
        }

        static func listener(_ broker: BrokerProcess) async throws -> Listener {
            try await broker.listener(["fleet/+/event"])
        }

        /// What was said, without when.
        var keys: Set<String> {
            Set(
                listeners.flatMap(\.heard).compactMap { heard in
                    guard let object = heard.object else { return nil }
                    return "\(heard.topic) \(object["event"] ?? "") \(object["id"] ?? "")"
                })
        }

        func publish(_ fix: Fix, of truck: String) async throws {
            try await broker.publish("fleet/\(truck)/location", fix.json)
        }
    }

    @Test(
        "A broker that was away for 16 s leads to the same events", .timeLimit(.minutes(4)), arguments: Outage.allCases)
    func sameKeys(outage: Outage) async throws {
        let scratch = try Scratch()
        let whole = try await Side(scratch, "whole-\(outage)")
        var cut = try await Side(scratch, "cut-\(outage)")
        let start = ContinuousClock.now
        var waiting: [(String, Fix)] = []
        for second in 0..<Self.seconds {
            try await Task.sleep(until: start + .seconds(second))
            if second == Self.outage.lowerBound {
                // What a broker has acknowledged and neither delivered nor written down is lost with it: to the gateway, and to
                // who listens here, within half a second.
                let (gateway, fixes) = (cut.gateway, Double(second * Self.ways.count))
                try await eventually(within: .seconds(5), "not all have come, or not all has left") {
                    let received = try await gateway.metric("headroom_messages_received_total")[""] ?? 0
                    let isSent = try await gateway.metric("headroom_outbox_pending").isEmpty
                    return received > fixes && isSent
                }
                try await Task.sleep(for: .seconds(0.5))
                try await begin(outage, cut.broker)
            }
            if second == Self.outage.upperBound {
                try await end(outage, &cut)
                for (truck, fix) in waiting { try await cut.publish(fix, of: truck) }
            }
            for (truck, way) in Self.ways.sorted(by: { $0.key < $1.key }) {
                let place = Coordinate(latitude: 42.2803 + way(second) / 111_195, longitude: -83.7290)
                let fix = Fix(position: place, time: .now, accuracy: 5)
                try await whole.publish(fix, of: truck)
                if Self.outage.contains(second) {
                    waiting.append((truck, fix))
                } else {
                    try await cut.publish(fix, of: truck)
                }
            }
        }
        let expected = ["enter", "exit", "dwell", "determined"]
        try await eventually(within: .seconds(40), "whole: \(whole.keys)\ncut: \(cut.keys)") {
            let keys = whole.keys
            return keys == cut.keys && expected.allSatisfy { word in keys.contains { $0.contains(" \(word) ") } }
        }
        try await whole.gateway.stop()
        try await cut.gateway.stop()
    }

    private func begin(_ outage: Outage, _ broker: BrokerProcess) async throws {
        switch outage {
        case .stopped: kill(try #require(broker.pid), SIGSTOP)
        case .killed: try await broker.stop(SIGKILL)
        }
    }

    private func end(_ outage: Outage, _ side: inout Side) async throws {
        switch outage {
        case .stopped: kill(try #require(side.broker.pid), SIGCONT)
        case .killed:
            try await side.broker.start()
            side.listeners.append(try await Side.listener(side.broker))
        }
    }
}
