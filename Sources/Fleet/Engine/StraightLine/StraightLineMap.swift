import Clearances
import Geo
import Hashing
import Messages
import Roads

/// Clearances that limit no known road, by place: those of a gateway without a road file, and those that no road was found
/// for.
struct StraightLineMap: Sendable {
    let clearances: [Clearance]
    /// Of positions in `clearances`.
    private let index: BoxIndex
    /// The same.
    private let byID: [BytewiseText: Int]

    /// - Parameter former: of other clearances; where the same stand at the same places, only what they say is taken anew.
    init(_ clearances: [Clearance], from former: StraightLineMap? = nil) {
        self.clearances = clearances
        if let former, former.hasSamePlaces(as: clearances) {
            (index, byID) = (former.index, former.byID)
            return
        }
        index = BoxIndex(clearances.enumerated().map { (box: Bounds($1.position, $1.position), item: $0) })
        byID = Dictionary(clearances.enumerated().map { ($1.$id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func hasSamePlaces(as others: [Clearance]) -> Bool {
        clearances.elementsEqual(others) { $0.position == $1.position && $0.$id == $1.$id }
    }

    var count: Int { clearances.count }

    func clearance(_ id: BytewiseText) -> Clearance? { byID[id].map { clearances[$0] } }

    /// Those at most so far away, by id.
    func near(_ position: Coordinate, within distance: Metres) -> [Clearance] {
        var found: [Clearance] = []
        index.search(Bounds(position, position).widened(by: distance)) { item in
            if clearances[item].position.distance(to: position) <= distance { found.append(clearances[item]) }
        }
        return found.sorted { $0.$id < $1.$id }
    }

    /// How far the nearest is; nil where none is within `limit`.
    func distance(from position: Coordinate, within limit: Metres) -> Metres? {
        var nearest: Metres?
        index.nearest(to: position, within: limit) { item, _ in
            let distance = clearances[item].position.distance(to: position)
            if distance <= nearest ?? limit { nearest = distance }
            return nearest ?? limit
        }
        return nearest
    }
}
