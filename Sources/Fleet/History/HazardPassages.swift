import Clearances
import Geo
import Roads

/// What a vehicle has driven of late, as far as it is not known yet what came of it: it is counted where it came by, once it
/// has driven on for long enough, and then forgotten here.
///
/// Counted are vehicles whose behaviour no alert can have changed: those before which, from that place on, nothing lies that is
/// too low for them. Who may have been told counts nowhere there, whether he was or not: who turns off because he was told to
/// must not have the next one told less. But who drove under what is too low for him all the same counts as one who came by
/// and drove under.
struct HazardPassages: Hashable, Sendable {
    /// How far a vehicle drives on before it is known whether it drove under, in decimetres: twice the mile before which it is
    /// to be told.
    static let horizon = 32_000
    /// How far back the place lies that tells where vehicles come from, in decimetres.
    static let earlier = 15_000

    /// All along the vehicle's own way, in decimetres since it was first noted: whole numbers, so that they add up alike
    /// before and after a restart.
    struct Edge: Hashable, Sendable {
        var edge: UInt64
        var start: Int
    }

    /// A place of which it is not known yet where the vehicle went from it.
    struct Visit: Hashable, Sendable {
        var edge: UInt64
        /// The same for those who have come from where it did; 0: it had not come so far.
        var fromEarlier: UInt64
        /// Where the vehicle left it.
        var end: Int
        /// Whether nothing that is too low for the vehicle lay before it.
        var isFree: Bool
    }

    /// Where the vehicle last drove under a clearance.
    struct Mark: Hashable, Sendable {
        var clearance: UInt32
        var place: Int
        var isTooLow: Bool
    }

    /// Driven on to their ends; the last 1.5 km.
    var recent: [Edge] = []
    /// Near hazards alone.
    var visits: [Visit] = []
    var under: [Mark] = []
    /// Where the edge that it is on begins.
    var end = 0
    /// Where it last had an alert; below 0: nowhere.
    var alertedAt = -1
    /// Whether it is matched in a quiet circle, to be counted alone.
    var isFollowed = false

    /// A city block is some 80 m: as many as no road has within the horizon. More are not noted.
    static let visitsMax = 500

    var isEmpty: Bool { recent.isEmpty }

    /// The edge that it was on 1.5 km before where it is now began, or the first one where it has not come so far: what sets out
    /// from one place drives to the same few. Nil on the first one.
    var earlierEdge: UInt64? { (recent.last { $0.start <= end - Self.earlier } ?? recent.first)?.edge }

    /// - Parameters:
    ///   - edges: that the vehicle has driven on to their ends, in their order; one that it was noted on already may come again.
    ///   - ground: nil: nothing is counted.
    mutating func drive(
        _ edges: some Sequence<EdgeID>, _ network: RoadNetwork, _ ground: CountingGround?,
        into counts: inout PassageCounts
    ) {
        for edge in edges {
            let original = network.original(edge)
            let key = PlaceKey.edge(original, network)
            guard key != recent.last?.edge else { continue }
            count(before: end - Self.horizon, into: &counts)
            if let ground { noteClearances(on: original, network, ground) }
            let from = earlierEdge.map { PlaceKey.edge(key, from: $0) } ?? 0
            recent.append(Edge(edge: key, start: end))
            end += max(1, Int((network.length(edge) * 10).rounded()))
            if let ground, visits.count < Self.visitsMax, ground.isNear(edge) {
                visits.append(Visit(edge: key, fromEarlier: from, end: end, isFree: ground.isFree(edge)))
            }
            recent.removeFirst(recent.lastIndex { $0.start <= end - Self.earlier } ?? 0)
        }
    }

    private mutating func noteClearances(on edge: EdgeID, _ network: RoadNetwork, _ ground: CountingGround) {
        guard !visits.isEmpty else { return }
        for clearance in network.clearances(edge) where network.isLimit(clearance) {
            let key = PlaceKey.clearance(network.clearance(clearance).id)
            under.removeAll { $0.clearance == key }
            under.append(Mark(clearance: key, place: end, isTooLow: ground.isTooLow(clearance)))
        }
    }

    /// Notes that alerts are open.
    mutating func note(_ alerts: [OpenAlert]) {
        if !alerts.isEmpty { alertedAt = end }
    }

    /// Counts all, as at the end of a trip: where the vehicle has not driven under by now it does not.
    mutating func finish(into counts: inout PassageCounts) {
        guard !isEmpty else { return }
        count(before: .max, into: &counts)
        forgetWay()
    }

    /// Nobody knows what it did after the places that it came by.
    mutating func forgetWay() { self = HazardPassages() }

    private mutating func count(before place: Int, into counts: inout PassageCounts) {
        let known = visits.prefix { $0.end <= place }
        guard !known.isEmpty else { return }
        for visit in known {
            let isFree = visit.isFree && alertedAt < visit.end
            for key in [visit.edge, visit.fromEarlier] where key != 0 {
                if isFree { counts.add(HazardHistory.Count(passes: 1), at: key) }
                for mark in under where mark.place >= visit.end && (isFree || mark.isTooLow) {
                    counts.add(HazardHistory.Count(passes: 1, besides: isFree ? 0 : 1), at: key, under: mark.clearance)
                }
            }
        }
        visits.removeFirst(known.count)
        let oldest = visits.first?.end ?? .max
        under.removeAll { $0.place < oldest }
    }
}

extension RoadNetwork {
    /// Whether a clearance limits vehicles to a height that is known.
    func isLimit(_ clearance: ClearanceID) -> Bool {
        if case .limit(_) = reading(clearance) { true } else { false }
    }
}
