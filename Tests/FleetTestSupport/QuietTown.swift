package import Fleet
import Geo
import Hashing
package import Messages
import RoadImport
package import Roads

/// Five kilometres by five of streets 400 m apart, a few of them under low bridges, with fences strewn over it.
package struct QuietTown {
    private static let size = 14
    private static let block: Metres = 400

    /// Alerts begin nearer than usual, so that the town has room for circles.
    package static let settings: EngineSettings = {
        var settings = EngineSettings()
        settings.alerts.distance = 400
        settings.alerts.leadTime = 10
        return settings
    }()

    package let network: RoadNetwork
    package let fences: [Fence]

    package init(seed: UInt64, bridges: Int = 3, fences: Int = 8) throws {
        var random = SplitMix64(seed: seed)
        let streets = Self.streets
        let low = Set((0..<bridges).map { _ in random.index(below: streets.count) })
        var builder = RoadNetworkBuilder()
        for (index, street) in streets.enumerated() {
            var tags = ["highway": index % 5 == 0 ? "tertiary" : "residential", "maxspeed": "50"]
            if low.contains(index) { tags["maxheight"] = "3.5" }
            builder.add(SourceWay(id: Int64(1_000 + index), nodes: [street.from, street.to], tags: tags))
        }
        builder.finishWays()
        for row in 0..<Self.size {
            for column in 0..<Self.size {
                builder.add(SourceNode(id: Self.node(column, row), position: Self.place(column, row)))
            }
        }
        network = try RoadNetwork(RoadFileBuffer(builder.build().file))
        self.fences = (0..<fences).map { Self.fence($0, &random) }
    }

    private static var streets: [(from: Int64, to: Int64)] {
        (0..<size).flatMap { row in
            (0..<size).flatMap { column -> [(from: Int64, to: Int64)] in
                let east = column + 1 < size ? [(node(column, row), node(column + 1, row))] : []
                return east + (row + 1 < size ? [(node(column, row), node(column, row + 1))] : [])
            }
        }
    }

    private static func node(_ column: Int, _ row: Int) -> Int64 { Int64(1 + column + row * size) }

    private static func place(_ column: Int, _ row: Int) -> Coordinate {
        Drawing.place(Metres(column) * block, Metres(row) * block)
    }

    private static func fence(_ number: Int, _ random: inout SplitMix64) -> Fence {
        let extent = Metres(size - 1) * block
        let (east, north) = (random.fraction() * extent, random.fraction() * extent)
        let center = Drawing.place(east, north)
        let radius = 60 + 300 * random.fraction()
        let shape: Shape
        switch number % 3 {
        case 0: shape = .circle(Circle(center: center, radius: radius))
        case 1:
            let corners = [(-1.0, -1.0), (1, -0.8), (0.7, 1), (-1, 0.9)]
            shape = .polygons([
                Polygon(outer: corners.map { Drawing.place(east + $0.0 * radius, north + $0.1 * radius) })
            ])
        default:
            let end = Drawing.place(east + 4 * radius, north + radius)
            shape = .corridor(Corridor(line: [center, end], width: radius))
        }
        return Fence(id: "fence-\(number)", shape: shape, dwell: number % 4 == 0 ? 20 : nil)
    }
}
