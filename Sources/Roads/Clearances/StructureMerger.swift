import Geo

/// Finds clearances that tell of one structure: within 30 m along one road, one of them at least from a point source.
struct StructureMerger {
    static let reach: Metres = 30

    /// A clearance where it limits a road.
    private struct Member {
        var clearance: Int
        var position: Coordinate
        var point: PointRecord
        var road: Int
        var isPoint: Bool
        /// Position in `members` of the one that was added to its cell before it; nil: it is the first there.
        var former: Int?
    }

    private let isSameRoad: (Int, Int) -> Bool
    private var members: [Member] = []
    /// By cell: the position in `members` of the one that was added last.
    private var newest: [UInt64: Int] = [:]

    /// - Parameter isSameRoad: whether two of the roads that `add` names are one that goes on, on one level.
    init(isSameRoad: @escaping (Int, Int) -> Bool) { self.isSameRoad = isSameRoad }

    /// - Parameters:
    ///   - clearance: numbers from 0, without large gaps: there is memory for each of them.
    ///   - position: where the clearance limits that road.
    mutating func add(_ clearance: Int, at position: Coordinate, road: Int, isPoint: Bool) {
        let point = PointRecord(position)
        let key = ShapeGrid.key(ShapeGrid.cell(point.latitude), ShapeGrid.cell(point.longitude))
        let former = newest.updateValue(members.count, forKey: key)
        members.append(
            Member(
                clearance: clearance, position: position, point: point, road: road, isPoint: isPoint, former: former))
    }

    /// Clearances of one structure each, two and more; ascending.
    func structures() -> [[Int]] {
        /// By clearance: an earlier one of its structure; of the first itself.
        var leaders = Array(0..<members.reduce(0) { max($0, $1.clearance + 1) })
        func first(_ clearance: Int) -> Int {
            var clearance = clearance
            while leaders[clearance] != clearance {
                // Halves the way for those that ask again.
                leaders[clearance] = leaders[leaders[clearance]]
                clearance = leaders[clearance]
            }
            return clearance
        }
        for member in members where member.isPoint {
            forEachNeighbour(of: member) { other in
                let (a, b) = (first(member.clearance), first(other.clearance))
                leaders[max(a, b)] = min(a, b)
            }
        }
        var positions: [Int: Int] = [:]
        var structures: [[Int]] = []
        for clearance in leaders.indices {
            let first = first(clearance)
            guard first != clearance else { continue }
            if let position = positions[first] {
                structures[position].append(clearance)
            } else {
                positions[first] = structures.count
                structures.append([first, clearance])
            }
        }
        return structures.sorted { $0[0] < $1[0] }
    }

    /// Without arrays between, and by whole numbers first: every clearance of dispatch is asked with every change of one.
    private func forEachNeighbour(of member: Member, _ body: (Member) -> Void) {
        let plane = LocalPlane(latitude: member.position.latitude)
        // A metre for rounding.
        let reach = Vector(east: Self.reach + 1, north: Self.reach + 1)
        let low = PointRecord(plane.coordinate(Vector(east: 0, north: 0) - reach, from: member.position))
        let high = PointRecord(plane.coordinate(reach, from: member.position))
        for row in ShapeGrid.cell(low.latitude)...ShapeGrid.cell(high.latitude) {
            for column in ShapeGrid.cell(low.longitude)...ShapeGrid.cell(high.longitude) {
                var next = newest[ShapeGrid.key(row, column)]
                while let index = next {
                    let point = members[index].point
                    if point.latitude >= low.latitude, point.latitude <= high.latitude,
                        point.longitude >= low.longitude, point.longitude <= high.longitude,
                        members[index].clearance != member.clearance,
                        members[index].position.distance(to: member.position) <= Self.reach,
                        isSameRoad(members[index].road, member.road)
                    {
                        body(members[index])
                    }
                    next = members[index].former
                }
            }
        }
    }
}
