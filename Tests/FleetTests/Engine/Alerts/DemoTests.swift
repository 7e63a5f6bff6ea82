import Clearances
import FleetTestSupport
import Foundation
import Geo
import Messages
import RoadImport
import Roads
import Testing

@testable import Fleet

/// Washington Street in Ann Arbor, the demo that everybody sees first.
struct DemoTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../../config/demo").standardized

    private static func network() throws -> RoadNetwork {
        let map = folder.appending(path: "ann-arbor.osm").path(percentEncoded: false)
        return try RoadNetwork(RoadFileBuffer(RoadBuild.build([map], progress: { _ in }).file))
    }

    /// One of the demo's trucks, as far as a test needs it.
    struct Truck: Decodable {
        struct Properties: Decodable {
            var vehicle: String
            var height: String?
            var speed_mps: Double
            var expect: [AlertMessage.Stage]
            var expect_request: RequestMessage.Kind?
        }
        struct Line: Decodable { var coordinates: [[Double]] }

        var properties: Properties
        var geometry: Line

        var line: [Coordinate] { geometry.coordinates.map { Coordinate(latitude: $0[1], longitude: $0[0]) } }
        /// Rounded up to a centimetre.
        var height: Centimetres? {
            properties.height.flatMap { LengthText.tenthMillimetres($0, rounding: .up) }.map { ($0 + 99) / 100 }
        }
    }

    private static func trucks() throws -> [Truck] {
        struct Collection: Decodable { var features: [Truck] }
        let data = try Data(contentsOf: folder.appending(path: "trucks.geojson"))
        return try JSONDecoder().decode(Collection.self, from: data).features
    }

    // 80 m lie between S 1st Street and the bridge: fixes further apart than three seconds may skip `stop`.
    @Test("Each of the demo's trucks hears what the demo says it will", arguments: [1.0, 2])
    func trucks(every: Seconds) throws {
        let network = try Self.network()
        let trucks = try Self.trucks()
        #expect(trucks.count == 4)
        for truck in trucks {
            let dispatcher = Dispatcher(network, height: truck.height)
            dispatcher.drive(Journey(line: truck.line, speed: truck.properties.speed_mps, every: every, offset: 0))
            let byID = Dictionary(grouping: dispatcher.alerts.filter { $0.clearance.id == "osm:way:1003" }, by: \.id)
            let first = dispatcher.alerts.first.flatMap { byID[$0.id] } ?? []
            #expect(first.map(\.stage) == truck.properties.expect, "\(truck.properties.vehicle)")
            #expect(dispatcher.requests.first?.kind == truck.properties.expect_request, "\(truck.properties.vehicle)")
        }
    }

    @Test("The truck that drives on hears of S 1st Street a mile before it")
    func words() throws {
        let truck = try #require(try Self.trucks().first { $0.properties.vehicle == "tall-drives-on" })
        let dispatcher = Dispatcher(try Self.network(), height: truck.height)
        dispatcher.drive(Journey(line: truck.line, speed: 20, every: 1, offset: 0))
        let ahead = try #require(dispatcher.alerts.first)
        let detour = try #require(ahead.detour)
        #expect(detour.turnOnto == "S 1st Street")
        #expect((Unit.mile - 50...Unit.mile + 20 * 10).contains(detour.distance))
        #expect(ahead.clearance.name == "Ann Arbor Railroad over W Washington Street")
        #expect(ahead.clearance.position.distance(to: Coordinate(latitude: 42.280597, longitude: -83.751891)) < 2)
        #expect(ahead.text.hasPrefix("Low bridge 10'6\" on W Washington Street in 1."))
        #expect(ahead.text.contains("Leave at S 1st Street in 1."))
    }
}
