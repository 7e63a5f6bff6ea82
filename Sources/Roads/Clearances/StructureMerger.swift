import Geo

/// Finds clearances that tell of one structure: within 30 m along one road, one of them at least from a point source.
struct StructureMerger {
    static let reach: Metres = 30

    /// A clearance where it limits a road.
    private struct Member {
        var clearance: Int
        var position: Coordinate
        var way: Int
        var isPoint: Bool
    }

    private let ways: [RoadNetworkBuilder.DrivableWay]
    private var members: [Member] = []
    private var cells: [UInt64: [Int]] = [:]

    init(ways: [RoadNetworkBuilder.DrivableWay]) { self.ways = ways }

    mutating func add(_ clearance: Int, at position: Coordinate, way: Int, isPoint: Bool = false) {
        let point = PointRecord(position)
        let key = ShapeGrid.key(ShapeGrid.cell(point.latitude), ShapeGrid.cell(point.longitude))
        cells[key, default: []].append(members.count)
        members.append(Member(clearance: clearance, position: position, way: way, isPoint: isPoint))
    }

    /// Clearances of one structure each, two and more; ascending.
    func structures() -> [[Int]] {
        var leader: [Int: Int] = [:]
        func root(_ clearance: Int) -> Int {
            var clearance = clearance
            while let next = leader[clearance] { clearance = next }
            return clearance
        }
        for member in members where member.isPoint {
            for other in neighbours(of: member) {
                let (a, b) = (root(member.clearance), root(other.clearance))
                if a != b { leader[max(a, b)] = min(a, b) }
            }
        }
        let grouped = Dictionary(grouping: Set(members.map(\.clearance)), by: root)
        return grouped.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    private func neighbours(of member: Member) -> [Member] {
        let plane = LocalPlane(latitude: member.position.latitude)
        let reach = Vector(east: Self.reach, north: Self.reach)
        let low = plane.coordinate(Vector(east: 0, north: 0) - reach, from: member.position)
        let high = plane.coordinate(reach, from: member.position)
        return ShapeGrid.cells(PointRecord(low), PointRecord(high)).flatMap { cells[$0] ?? [] }
            .map { members[$0] }
            .filter { other in
                other.clearance != member.clearance && isSameRoad(other.way, member.way)
                    && other.position.distance(to: member.position) <= Self.reach
            }
    }

    /// One way, or ways that share a name or number, or nameless ways that meet.
    private func isSameRoad(_ a: Int, _ b: Int) -> Bool {
        if a == b { return true }
        let (one, other) = (ways[a].road, ways[b].road)
        guard one.layer == other.layer else { return false }
        if !one.name.isEmpty && one.name == other.name { return true }
        if !one.number.isEmpty && one.number == other.number { return true }
        let isNameless = [one.name, one.number, other.name, other.number].allSatisfy(\.isEmpty)
        let ends = [ways[b].nodes.first, ways[b].nodes.last]
        return isNameless && (ends.contains(ways[a].nodes.first) || ends.contains(ways[a].nodes.last))
    }
}
