import Foundation
import Geo
import Testing

/// A fleet that drives through the depot of `DepotScene` and on under a low bridge, and what it is told.
struct BridgeDrive {
    let vehicles: [String]

    init(vehicles count: Int) { vehicles = (1...count).map { "S\($0)" } }

    /// A low bridge 700 m east of where they begin, how tall they are, and the routes of every fifth of them.
    ///
    /// - Parameters:
    ///   - fleet: of the vehicles' topics, without their ids.
    ///   - headroom: of dispatch's topics.
    func beginning(fleet: String = "fleet", headroom: String = "headroom") -> [FleetSpeaker.Message] {
        let bridge = DepotScene.place(600, 200)
        let clearance = FleetSpeaker.Message(
            topic: "\(headroom)/clearances/low-bridge",
            payload: """
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(bridge.longitude), \(bridge.latitude)]},
                 "properties": {"clearance": "3.2 m", "name": "Depot Street"}}
                """, isRetained: true)
        return [clearance]
            + vehicles.enumerated().map { number, vehicle in
                FleetSpeaker.Message(
                    topic: "\(fleet)/\(vehicle)/profile",
                    payload: #"{"height": "\#(number % 10 == 0 ? "2.5" : "4.0") m"}"#, isRetained: true)
            } + routes(fleet)
    }

    private func routes(_ fleet: String) -> [FleetSpeaker.Message] {
        let line = [(-100.0, 200.0), (700, 200)].map { DepotScene.place($0.0, $0.1) }
            .map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        return stride(from: 4, to: vehicles.count, by: 5).map {
            FleetSpeaker.Message(
                topic: "\(fleet)/\(vehicles[$0])/route", payload: #"{"waypoints": [\#(line)]}"#, isRetained: true)
        }
    }

    struct Said: Hashable {
        var kind: String
        var id: String
        var sequence: Int
    }

    /// By vehicle, alerts and fence events in the order in which they came, once nothing more comes.
    func said(to listener: Listener, within limit: Duration = .seconds(40)) async throws -> [String: [Said]] {
        func hasLeft(_ heard: [Listener.Heard]) -> Bool {
            Set(heard.filter { $0.object?["event"] as? String == "exit" }.map(\.topic)).count == vehicles.count
        }
        try await eventually(within: limit, "not all have left") {
            hasLeft(listener.heard.filter { $0.topic.hasSuffix("/event") })
        }
        var count = -1
        while count != listener.heard.count {
            count = listener.heard.count
            try await Task.sleep(for: .seconds(3))
        }
        var said: [String: [Said]] = [:]
        for heard in listener.heard {
            let levels = heard.topic.split(separator: "/").map(String.init).suffix(2)
            guard let vehicle = levels.first, let kind = levels.last, ["alert", "event"].contains(kind),
                let object = heard.object, let id = object["id"] as? String
            else { continue }
            said[vehicle, default: []].append(Said(kind: kind, id: id, sequence: object["sequence"] as? Int ?? 0))
        }
        return said
    }

    /// Of each alert the numbers rise; what was sent twice, after a crash, counts where it first came.
    static func isInOrder(_ said: [Said]) -> Bool {
        var known: Set<Said> = []
        let first = said.filter { known.insert($0).inserted }
        return Dictionary(grouping: first, by: \.id).values.allSatisfy { messages in
            zip(messages, messages.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
        }
    }
}
