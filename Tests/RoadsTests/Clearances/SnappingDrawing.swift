import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

/// A drawn network, of which point clearances beside the roads are asked.
struct SnappingDrawing {
    private(set) var network: RoadNetwork
    let report: ImportReport
    let bytes: [UInt8]

    init(_ drawing: String, snapDistance: Metres = 40) throws {
        let drawn = try DrawnNetwork(drawing, snapDistance: snapDistance)
        (network, report, bytes) = (drawn.network, drawn.report, drawn.bytes)
    }

    /// The same drawing with clearances laid over it.
    func showing(_ network: RoadNetwork) -> SnappingDrawing {
        var drawn = self
        drawn.network = network
        return drawn
    }

    /// What limits the roads, as `id: from-to` with metres east of the ends, sorted: `p: 0>100` is the edge from 0 to 100.
    var limits: [String] {
        network.limitedEdges.map { edge, clearance in
            "\(network.clearance(clearance).id): \(place(network.from(edge)))>\(place(network.to(edge)))"
        }.sorted()
    }

    func status(_ id: String) throws -> ClearanceStatus { network.status(try clearance(id)) }

    func clearance(_ id: String) throws -> ClearanceID {
        let all = (0..<network.clearanceCount).map { ClearanceID($0) }
        return try #require(all.first { network.clearance($0).id == id }, "no clearance \(id)")
    }

    /// Whole metres east, and north where that is not 0.
    private func place(_ node: NodeID) -> String {
        let vector = LocalPlane(latitude: 0).vector(from: DrawnNetwork.origin, to: network.coordinate(node))
        let (east, north) = (Int(vector.east.rounded()), Int(vector.north.rounded()))
        return north == 0 ? "\(east)" : "\(east),\(north)"
    }
}
