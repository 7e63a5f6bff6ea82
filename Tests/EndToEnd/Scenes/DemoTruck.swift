import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

/// The demo's truck that is 13'6" high and drives on under a bridge of 10'6".
struct DemoTruck {
    static let profile = #"{"height": "13'6\"", "units": "imperial", "source": "driver"}"#
    static let stages = ["ahead", "detour", "stop", "passed"]

    let trip: Trip

    /// - Parameter vehicle: another of the demo's trucks.
    init(_ vehicle: String = "tall-drives-on") throws {
        let file = Repository.demo.appending(path: "trucks.geojson")
        let collection = try JSONDecoder().decode(Collection.self, from: Data(contentsOf: file))
        let feature = try #require(collection.features.first { $0.properties.vehicle == vehicle })
        let line = feature.geometry.coordinates.map { Coordinate(latitude: $0[1], longitude: $0[0]) }
        trip = try #require(Trip(line: line, speed: feature.properties.speed_mps))
    }

    /// One fix a second.
    func drive(from start: Timestamp, noise: Metres = 2) -> Drive {
        Drive(trip, .init(interval: 1, noise: noise), from: start, seed: 1)
    }

    private struct Collection: Decodable {
        struct Feature: Decodable {
            struct Properties: Decodable {
                var vehicle: String
                var speed_mps: Double
            }

            struct Geometry: Decodable {
                var coordinates: [[Double]]
            }

            var properties: Properties
            var geometry: Geometry
        }

        var features: [Feature]
    }
}

/// The demo's tall truck, whose two minutes pass in seconds: its clock is behind at first, and ahead at the end.
final class RushingTruck {
    /// How far its clock is behind at first. No alert is raised by a fix that is older than a minute, and no fix is taken that is
    /// as far in the future: in between, a slow machine has the most time from one stage to the next.
    private static let delay: Seconds = 69
    /// Between two fixes, which are a second apart by their times.
    private static let pause: Duration = .milliseconds(20)

    private let vehicle: String
    private let gateway: GatewayProcess
    private let fixes: [Fix]
    private let client: ChildProcess
    private var next = 0

    init(_ broker: BrokerProcess, _ gateway: GatewayProcess, vehicle: String = "T42") throws {
        self.vehicle = vehicle
        self.gateway = gateway
        let truck = try DemoTruck()
        fixes = Array(truck.drive(from: Timestamp.now.adding(-Self.delay)))
        client = try broker.speaker("fleet/\(vehicle)/location")
    }

    /// Publishes the next fix, and waits until the gateway has judged it with the hazards for the truck's height: within the
    /// second that they may take, the truck drives through a whole stage.
    func report() async throws {
        let time = RFC3339.text(fixes[next].time)
        try await drive(for: 1)
        var answer = ""
        try await eventually(within: .seconds(30), "not judged at \(time): \(answer)") {
            answer = try await gateway.get("/api/v1/vehicles/\(vehicle)").body
            return answer.contains(#""time":"\#(time)""#) && !answer.contains("tables-pending")
        }
    }

    /// - Parameters:
    ///   - seconds: of its own time; without it, to its end.
    ///   - isThere: ends it before.
    func drive(for seconds: Int? = nil, until isThere: () -> Bool = { false }) async throws {
        let end = seconds.map { min(next + $0, fixes.count) } ?? fixes.count
        while next < end, !isThere() {
            try client.write(line: fixes[next].json)
            next += 1
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Drives the whole way, over a stop and a kill of the gateway: the driver is told every stage once, by the truck's own height.
    ///
    /// - Parameter listener: hears the vehicle's alerts and states.
    func driveOverStopAndKill(_ listener: Listener) async throws {
        let alerts = { [vehicle] in listener.alerts("fleet/\(vehicle)/alert") }
        func until(_ stages: [String]) async throws {
            try await eventually(
                within: .seconds(20), "stages: \(alerts().map(\.stage)); \(gateway.errors.suffix(500))"
            ) { alerts().map(\.stage) == stages }
        }
        try await report()
        try await drive { alerts().map(\.stage) == ["ahead"] }
        try await until(["ahead"])
        #expect(try await gateway.stop().status == 0)
        // The broker keeps for the gateway what is published while it is away.
        try await drive(for: 20)
        try await gateway.start()
        try await report()
        try await drive { alerts().map(\.stage).contains("detour") }
        try await until(["ahead", "detour"])
        try await gateway.stop(SIGKILL)
        try await gateway.start()
        try await report()
        try await drive()
        try await until(DemoTruck.stages)

        #expect(Set(alerts().map(\.id)).count == 1 && alerts().map(\.sequence) == [1, 2, 3, 4])
        let state = try #require(listener.heard("fleet/\(vehicle)/state").last?.object)
        let height = try #require(state["height"] as? [String: Any])
        #expect(height["value"] as? Double == 4.12 && height["source"] as? String == "driver")
    }
}

extension Fix {
    /// As a device publishes it.
    var json: String {
        let members = [
            "\"lat\":\(position.latitude)", "\"lon\":\(position.longitude)", "\"time\":\"\(RFC3339.text(time))\"",
            accuracy.map { "\"accuracy\":\($0)" }, speed.map { "\"speed\":\($0)" }, course.map { "\"course\":\($0)" },
        ]
        return "{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }
}

extension Timestamp {
    static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    var secondsSince1970: Double { Double(milliseconds) / 1000 }
}

/// Sends fixes when they are due, each to the client of its truck.
///
/// - Parameter meanwhile: called after each; the next fix waits for it.
func publish(_ fixes: [(fix: Fix, to: ChildProcess)], meanwhile: () async throws -> Void = {}) async throws {
    for (fix, client) in fixes.sorted(by: { $0.fix.time < $1.fix.time }) {
        let wait = fix.time.since(.now)
        if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
        try client.write(line: fix.json)
        try await meanwhile()
    }
}
