import Algorithms
import Clearances
import Geo
import Hashing

/// The clearances of a road file, found by id, by structure and by the edges that they limit.
struct MappedClearances: Sendable {
    let network: RoadNetwork
    /// Clearances of one id follow each other, where a way's two directions differ. Of others the first counts.
    private let byID: [BytewiseText: Range<UInt32>]
    /// Every limit, also those that are outweighed; sorted by clearance.
    private let limits: [LimitRecord]
    /// By the clearance that counts: those that are merged into it.
    private let merged: [UInt32: [UInt32]]

    /// - Parameter network: as its road file has it.
    init(_ network: RoadNetwork) {
        precondition(network.overlay == nil, "live clearances are laid over a road file, not over other live ones")
        self.network = network
        var byID: [BytewiseText: Range<UInt32>] = [:]
        var merged: [UInt32: [UInt32]] = [:]
        for index in 0..<UInt32(network.clearanceRows.count) {
            let record = network.clearanceRows[index]
            let id = BytewiseText(network.text(record.id))
            let known = byID[id] ?? index..<index
            if known.upperBound == index { byID[id] = known.lowerBound..<(index + 1) }
            if case .merged(let other) = record.status { merged[other.index, default: []].append(index) }
        }
        self.byID = byID
        self.merged = merged
        limits = [network.limits, network.outweighed]
            .joined().sorted { ($0.clearance, $0.edge) < ($1.clearance, $1.edge) }
    }

    func withID(_ id: String) -> [ClearanceID] { byID[BytewiseText(id)].map { $0.map { ClearanceID($0) } } ?? [] }

    /// Whether its position decides which road it limits; else the map says so.
    func isPoint(_ clearance: ClearanceID) -> Bool { network.clearanceRows[clearance.index].isPoint != 0 }

    /// Every edge that it limits, also where a lower one of its structure counts; ascending.
    func edges(_ clearance: ClearanceID) -> [EdgeID] {
        let first = limits.partitioningIndex { $0.clearance >= clearance.index }
        return limits[first...].prefix { $0.clearance == clearance.index }.map { EdgeID($0.edge) }
    }

    /// What limits an edge within a structure's reach, counting or outweighed; ascending.
    func clearances(near feet: [NearbyEdge]) -> [ClearanceID] {
        let edges = feet.flatMap { foot in
            network.edges(within: StructureMerger.reach, of: network.coordinate(foot.edge, offset: foot.offset))
        }
        let near = edges.flatMap { network.limits.clearances($0.edge) + network.outweighed.clearances($0.edge) }
        return Set(near).sorted()
    }

    /// The one that counts of those that tell of the same structure.
    func lowest(of clearance: ClearanceID) -> ClearanceID {
        network.clearanceRows[clearance.index].status.lowest(of: clearance)
    }

    /// All that tell of the structure of one that counts, itself among them.
    func structure(_ lowest: ClearanceID) -> [ClearanceID] {
        [lowest] + (merged[lowest.index] ?? []).map { ClearanceID($0) }
    }

    /// Where it limits each of its roads: the nearest place on the way to where it stands.
    func places(_ clearance: ClearanceID) -> [NearbyEdge] {
        let position = Coordinate(network.clearanceRows[clearance.index].point)
        let plane = LocalPlane(latitude: position.latitude)
        return network.nearestOnWays(edges(clearance).compactMap { network.foot(of: position, on: $0, plane) })
    }
}

extension RoadNetwork {
    /// The nearest of the feet on each way, the first of equals; ways ascending.
    func nearestOnWays(_ feet: [NearbyEdge]) -> [NearbyEdge] {
        var nearest: [UInt32: NearbyEdge] = [:]
        for foot in feet {
            let way = edges[foot.edge.index].way
            if foot.distance < nearest[way]?.distance ?? .infinity { nearest[way] = foot }
        }
        return nearest.sorted { $0.key < $1.key }.map(\.value)
    }
}
