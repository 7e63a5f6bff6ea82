import Geo

/// Finds clearances that tell of one structure: within 30 m along one road, one of them at least from a point source.
struct StructureMerger {
    static let reach: Metres = 30

    /// A clearance where it limits a road.
    private struct Member {
        var clearance: Int
        var position: Coordinate
        var road: Int
        var isPoint: Bool
    }

    private let isSameRoad: (Int, Int) -> Bool
    private var members: [Member] = []
    private var cells: [UInt64: [Int]] = [:]

    /// - Parameter isSameRoad: whether two of the roads that `add` names are one that goes on, on one level.
    init(isSameRoad: @escaping (Int, Int) -> Bool) { self.isSameRoad = isSameRoad }

    /// - Parameter position: where the clearance limits that road.
    mutating func add(_ clearance: Int, at position: Coordinate, road: Int, isPoint: Bool) {
        let point = PointRecord(position)
        let key = ShapeGrid.key(ShapeGrid.cell(point.latitude), ShapeGrid.cell(point.longitude))
        cells[key, default: []].append(members.count)
        members.append(Member(clearance: clearance, position: position, road: road, isPoint: isPoint))
    }

    /// Clearances of one structure each, two and more; ascending.
    func structures() -> [[Int]] {
        var leader: [Int: Int] = [:]
        func root(_ clearance: Int) -> Int {
            var clearance = clearance
            while let next = leader[clearance] {
                // Halves the way for those that ask again.
                leader[clearance] = leader[next] ?? next
                clearance = next
            }
            return clearance
        }
        for member in members where member.isPoint {
            forEachNeighbour(of: member) { other in
                let (a, b) = (root(member.clearance), root(other.clearance))
                if a != b { leader[max(a, b)] = min(a, b) }
            }
        }
        let grouped = Dictionary(grouping: Set(members.map(\.clearance)), by: root)
        return grouped.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// Without arrays between: every clearance of dispatch is asked with every change of one.
    private func forEachNeighbour(of member: Member, _ body: (Member) -> Void) {
        let plane = LocalPlane(latitude: member.position.latitude)
        let reach = Vector(east: Self.reach, north: Self.reach)
        let low = PointRecord(plane.coordinate(Vector(east: 0, north: 0) - reach, from: member.position))
        let high = PointRecord(plane.coordinate(reach, from: member.position))
        for key in ShapeGrid.cells(low, high) {
            for other in cells[key] ?? []
            where members[other].clearance != member.clearance
                && members[other].position.distance(to: member.position) <= Self.reach
                && isSameRoad(members[other].road, member.road)
            {
                body(members[other])
            }
        }
    }
}
