import Foundation
import Geo
import Testing

/// A fleet that drives through the depot of `DepotScene` and on under a low bridge, and what it is told.
struct BridgeDrive {
    let vehicles: [String]

    init(vehicles count: Int) { vehicles = (1...count).map { "S\($0)" } }

    /// The streets that they drive on: Depot Street goes east under the bridge, and 300 m before that Yard Road turns off, which goes
    /// around it. Both are one-way, so that no way leads back to the bridge.
    static let map: String = {
        let places = depotStreet + yardRoad.dropFirst().dropLast()
        let nodes = places.enumerated().map { number, at in
            let place = DepotScene.place(at.0, at.1)
            return #"<node id="\#(number + 1)" lat="\#(place.latitude)" lon="\#(place.longitude)"/>"#
        }
        func way(_ id: Int, _ name: String, _ nodes: [Int]) -> String {
            #"<way id="\#(id)">"# + nodes.map { #"<nd ref="\#($0)"/>"# }.joined()
                + #"<tag k="highway" v="tertiary"/><tag k="oneway" v="yes"/><tag k="name" v="\#(name)"/></way>"#
        }
        let ways = [way(1, "Depot Street", [1, 2, 3, 4]), way(2, "Yard Road", [2, 5, 6, 3])]
        return #"<osm version="0.6">"# + (nodes + ways).joined(separator: "\n") + "</osm>"
    }()
    /// East and north of the depot's corner, in metres.
    private static let depotStreet = [(-400.0, 200.0), (300, 200), (900, 200), (1_600, 200)]
    private static let yardRoad = [(300.0, 200.0), (300, 500), (900, 500), (900, 200)]

    /// A low bridge 700 m east of where they begin, how tall they are, and the routes of every fifth of them, which go around it.
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

    /// Those that are to turn off before the bridge. They drive on all the same.
    var routed: [String] { stride(from: 4, to: vehicles.count, by: 5).map { vehicles[$0] } }

    private func routes(_ fleet: String) -> [FleetSpeaker.Message] {
        let line = (Self.depotStreet.prefix(1) + Self.yardRoad + Self.depotStreet.suffix(1))
            .map { DepotScene.place($0.0, $0.1) }.map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        let route =
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [\#(line)]}}"#
        return routed.map { FleetSpeaker.Message(topic: "\(fleet)/\($0)/route", payload: route, isRetained: true) }
    }

    struct Said: Hashable {
        var kind: String
        var id: String
        var sequence: Int
        /// Of an alert: `alarm` or `notice`.
        var attention: String?
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
            said[vehicle, default: []].append(
                Said(
                    kind: kind, id: id, sequence: object["sequence"] as? Int ?? 0,
                    attention: object["attention"] as? String))
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
