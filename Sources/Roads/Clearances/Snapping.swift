public import Clearances
public import Geo

/// A road near a point clearance, as snapping sees it.
public struct SnapCandidate: Sendable {
    /// From the clearance to the nearest point of the road.
    public var distance: Metres
    /// The courses on which the road may be driven there: one on a one-way, else two.
    public var courses: [Degrees]
    public var layer: Int
    public var isBridge: Bool
    /// Whether a bridge of a higher layer crosses it near the clearance.
    public var passesUnder: Bool
    /// Empty where the road has none.
    public var name: String
    /// Empty where the road has none.
    public var number: String
    /// OSM nodes at which the way begins and ends.
    public var ends: [Int64]
}

/// Why a clearance is not tied to a road; it then stays in the list and is judged by straight line.
public enum SnappingError: String, Error, CaseIterable, Sendable, Codable {
    case tooFar = "too-far"
    /// Roads of different levels are equally near.
    case levels = "roads-of-different-levels"
    /// There are roads, but none on the side of the structure that is limited.
    case noSuchPassage = "no-such-passage"
    /// No road there leads the way the approach says.
    case noSuchApproach = "no-such-approach"
}

extension SnappingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooFar: "none is near enough"
        case .levels: "roads of different levels are equally near"
        case .noSuchPassage: "no road there is on the side of the structure that is limited"
        case .noSuchApproach: "no road there leads the way its approach says"
        }
    }
}

/// Which road a point clearance limits: by approach, by name, by what passes under what, by distance, in this order.
public enum Snapping {
    /// Roads of different levels within this much of the same distance are a tie. Coordinates of bridge inventories
    /// are seldom better than that.
    static let tie: Metres = 10

    /// - Parameter candidates: roads within the snap distance.
    /// - Returns: positions of the limited roads: one, or both carriageways of a divided road.
    public static func choose(
        _ clearance: PointClearance, among candidates: [SnapCandidate]
    ) throws(SnappingError) -> [Int] {
        guard !candidates.isEmpty else { throw .tooFar }
        let leading = candidates.indices.filter { candidates[$0].courses.contains(where: clearance.limits) }
        guard !leading.isEmpty else { throw .noSuchApproach }
        let named = narrow(leading, by: RoadDesignation(clearance.road), candidates)
        let fitting = passages(clearance.passage, named, candidates)
        guard let best = fitting.min(by: { candidates[$0].distance < candidates[$1].distance }) else {
            throw .noSuchPassage
        }
        let ambiguous = fitting.filter { isAmbiguous(candidates[$0], with: candidates[best]) }
        guard ambiguous.isEmpty else { throw .levels }
        return [best] + fitting.filter { isOtherCarriageway(candidates[$0], of: candidates[best]) }
    }

    /// Roads of that name where there are any: sources spell too differently to take a mismatch for a proof.
    private static func narrow(_ all: [Int], by road: RoadDesignation, _ candidates: [SnapCandidate]) -> [Int] {
        guard !road.isEmpty else { return all }
        let named = all.filter { road.matches(name: candidates[$0].name, number: candidates[$0].number) }
        return named.isEmpty ? all : named
    }

    private static func passages(
        _ passage: PointClearance.Passage?, _ all: [Int], _ candidates: [SnapCandidate]
    ) -> [Int] {
        let under = all.filter { candidates[$0].passesUnder }
        switch passage {
        case .under:
            // No bridge may be mapped there; but a bridge is not what passes under.
            return under.isEmpty ? all.filter { !candidates[$0].isBridge } : under
        case .over:
            let bridges = all.filter { candidates[$0].isBridge }
            return bridges.isEmpty ? all.filter { !candidates[$0].passesUnder } : bridges
        case nil:
            return under.isEmpty ? all : under
        }
    }

    /// As near, on another level, and not the same road going on: nothing decides between the two.
    private static func isAmbiguous(_ other: SnapCandidate, with best: SnapCandidate) -> Bool {
        other.layer != best.layer && other.distance <= best.distance + tie
            && !other.ends.contains(where: best.ends.contains)
    }

    /// A structure over a divided road spans both carriageways, and its one point lies nearer to one of them.
    private static func isOtherCarriageway(_ other: SnapCandidate, of best: SnapCandidate) -> Bool {
        guard best.courses.count == 1, other.courses.count == 1, best.layer == other.layer else { return false }
        let isOpposite = angle(between: best.courses[0], and: other.courses[0]) >= 150
        let isSameName = !best.name.isEmpty && best.name == other.name
        return isOpposite && (isSameName || !best.number.isEmpty && best.number == other.number)
    }
}
