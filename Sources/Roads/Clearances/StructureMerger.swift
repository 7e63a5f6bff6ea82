import Clearances
import Geo

/// Finds clearances that tell of one structure: within 30 m along one road, and of one height where the map has both, as a sign on a
/// node and the tag of its way. Of other heights, the map means two structures; a point source may have measured one otherwise.
struct StructureMerger {
    static let reach: Metres = 30

    /// A clearance where it limits a road.
    private struct Member {
        var clearance: Int
        var position: Coordinate
        var point: PointRecord
        var road: Int
        var isPoint: Bool
        var reading: ClearanceReading

        func mayBeOfOneStructure(with other: Member) -> Bool {
            if isPoint || other.isPoint { return true }
            guard case .limit = reading else { return false }
            return reading == other.reading
        }
    }

    private let isSameRoad: (Int, Int) -> Bool
    private var members: [Member] = []

    /// - Parameter isSameRoad: whether two of the roads that `add` names are one that goes on, on one level.
    init(isSameRoad: @escaping (Int, Int) -> Bool) { self.isSameRoad = isSameRoad }

    /// - Parameters:
    ///   - clearance: numbers from 0, without large gaps: there is memory for each of them.
    ///   - position: where the clearance limits that road.
    mutating func add(
        _ clearance: Int, at position: Coordinate, road: Int, isPoint: Bool, reading: ClearanceReading
    ) {
        members.append(
            Member(
                clearance: clearance, position: position, point: PointRecord(position), road: road, isPoint: isPoint,
                reading: reading))
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
        /// By cell: the position in `members` of the last of those before; and of each the one before it there.
        var newest: [UInt64: Int] = [:]
        newest.reserveCapacity(members.count)
        var former: [Int?] = []
        former.reserveCapacity(members.count)
        for (index, member) in members.enumerated() {
            forEachNeighbour(of: member, newest, former) { other in
                let (a, b) = (first(member.clearance), first(other.clearance))
                guard a != b, isSameRoad(other.road, member.road) else { return }
                leaders[max(a, b)] = min(a, b)
            }
            let key = ShapeGrid.key(ShapeGrid.cell(member.point.latitude), ShapeGrid.cell(member.point.longitude))
            former.append(newest.updateValue(index, forKey: key))
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

    /// Those before it that may be of one structure with it if their road is the same. Without arrays between, and by whole numbers
    /// first: every clearance of dispatch is asked with every change of one.
    private func forEachNeighbour(
        of member: Member, _ newest: [UInt64: Int], _ former: [Int?], _ body: (Member) -> Void
    ) {
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
                        member.mayBeOfOneStructure(with: members[index]),
                        plane.vector(from: member.position, to: members[index].position).length <= Self.reach
                    {
                        body(members[index])
                    }
                    next = former[index]
                }
            }
        }
    }
}
