import FleetTestSupport
import Hashing
import Geo
import Roads

/// A town of square blocks with some streets missing, some one-way, some under a low bridge: the same seed, the same town.
struct GridTown {
    static let size = 7
    static let block: Metres = 180

    let network: RoadNetwork

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var builder = RoadNetworkBuilder()
        var id: Int64 = 1_000
        for row in 0..<Self.size {
            for column in 0..<Self.size {
                for (east, north) in [(1, 0), (0, 1)] where column + east < Self.size && row + north < Self.size {
                    id += 1
                    guard Double.random(in: 0..<1, using: &random) > 0.08 else { continue }
                    let ends = [Self.node(column, row), Self.node(column + east, row + north)]
                    let isMain = east == 1 ? row % 3 == 0 : column % 3 == 0
                    builder.add(SourceWay(id: id, nodes: ends, tags: Self.tags(isMain: isMain, &random)))
                }
            }
        }
        builder.finishWays()
        for row in 0..<Self.size {
            for column in 0..<Self.size {
                let position = Drawing.place(Metres(column) * Self.block, Metres(row) * Self.block)
                builder.add(SourceNode(id: Self.node(column, row), position: position))
            }
        }
        network = try RoadNetwork(RoadFileBuffer(builder.build().file))
    }

    private static func node(_ column: Int, _ row: Int) -> Int64 { Int64(1 + column + row * size) }

    private static func tags(isMain: Bool, _ random: inout SplitMix64) -> [String: String] {
        var tags = ["highway": isMain ? "tertiary" : "residential", "maxspeed": "45"]
        let share = Double.random(in: 0..<1, using: &random)
        if share < 0.1 { tags["maxheight"] = share < 0.05 ? "3.2" : "3.5" }
        if Double.random(in: 0..<1, using: &random) < 0.12 {
            tags["oneway"] = Bool.random(using: &random) ? "yes" : "-1"
        }
        return tags
    }

    /// Legal edges one behind the other, no U-turn, low bridges or not, until a dead end or `count` edges.
    func walk(_ count: Int, _ random: inout SplitMix64) -> [EdgeID] {
        let starts = (0..<network.edgeCount).map { EdgeID($0) }.filter { network.original($0) == $0 }
        guard var edge = starts.randomElement(using: &random) else { return [] }
        var walk = [edge]
        while walk.count < count, let next = network.successors(edge).randomElement(using: &random) {
            walk.append(next)
            edge = next
        }
        return walk
    }
}
