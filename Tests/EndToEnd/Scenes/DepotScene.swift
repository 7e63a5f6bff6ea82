import Fleet
import Foundation
import Geo
import Messages
import Store
import Testing

/// A gateway, a depot of 400 m by 400 m, and vehicles that drive into it.
struct DepotScene {
    let scratch: Scratch
    let broker: BrokerProcess
    let gateway: GatewayProcess
    let listener: Listener
    let prefix: String

    private static let corner = Coordinate(latitude: 42.28, longitude: -83.75)

    /// - Parameters:
    ///   - prefix: of the vehicle's topics, without its id.
    ///   - roads: a road file; nil: none.
    ///   - store: as the configuration says it; nil: an SQLite file.
    init(prefix: String = "fleet", roads: String? = nil, store: String? = nil, more: String = "") async throws {
        self.prefix = prefix
        scratch = try Scratch()
        broker = try await BrokerProcess.started(scratch)
        _ = try scratch.write(Self.depot, to: "fences.geojson")
        gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: roads, store: store,
            more: """
                fixes: {reorder: 1 s, hysteresis_time: 2 s}
                fences: [fences.geojson]
                \(more)
                """)
        listener = try await broker.listener(["\(prefix)/#"])
        try await gateway.start()
    }

    static func place(_ east: Metres, _ north: Metres) -> Coordinate {
        LocalPlane(latitude: corner.latitude).coordinate(Vector(east: east, north: north), from: corner)
    }

    static let depot: String = {
        let ring = [(0.0, 0.0), (400, 0), (400, 400), (0, 400), (0, 0)].map { place($0.0, $0.1) }
            .map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        return """
            {"type": "Feature", "id": "depot", "properties": {},
             "geometry": {"type": "Polygon", "coordinates": [[\(ring)]]}}
            """
    }()

    /// Eastwards at 10 m/s, 100 m before the depot at first; the last fix is as old as `age`.
    static func drive(_ count: Int = 20, age: Seconds = 2) -> [Fix] {
        let end = Timestamp.now.adding(-age)
        return (0..<count).map { number in
            Fix(
                position: place(Double(number) * 10 - 100, 200), time: end.adding(Double(number - count + 1)),
                accuracy: 5, speed: 10, course: 90)
        }
    }

    func upload(_ fixes: [Fix], of vehicle: String) async throws {
        try await broker.publish(topic(vehicle, "location"), "[" + fixes.map(\.json).joined(separator: ",") + "]")
    }

    func topic(_ vehicle: String, _ topicSuffix: String) -> String { "\(prefix)/\(vehicle)/\(topicSuffix)" }

    // MARK: What was said

    func state(_ vehicle: String) -> [String: Any]? { listener.heard(topic(vehicle, "state")).last?.object }

    func isInside(_ vehicle: String) -> Bool {
        let fences = state(vehicle)?["fences"] as? [[String: Any]]
        return fences?.compactMap { $0["id"] as? String } == ["depot"]
    }

    func enter(_ vehicles: String...) async throws {
        for vehicle in vehicles {
            try await upload(Self.drive(), of: vehicle)
            try await eventually(within: .seconds(15), "\(vehicle) has not entered") { isInside(vehicle) }
        }
    }

    /// The topics of a vehicle on which the broker has something retained.
    func retained(_ vehicle: String) async throws -> [String] {
        let listener = try await broker.listener([topic(vehicle, "+")])
        return listener.heard.filter { !$0.payload.isEmpty }.map(\.topic).sorted()
    }

    // MARK: What is kept

    var store: String { scratch.path("gateway.sqlite") }

    /// Files of the store that hold a text.
    func files(with text: String) -> [String] {
        ["gateway.sqlite", "gateway.sqlite-wal"].filter { name in
            FileManager.default.contents(atPath: scratch.path(name))?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Runs a command of the program with this gateway's configuration.
    func headroom(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String) {
        let command = [arguments[0], "--config", gateway.configuration] + arguments.dropFirst()
        let result = try await run(Repository.program, command, scratch)
        return (result.status, result.output, result.errors)
    }
}
