import Geo
import Messages
import Roads

/// How a vehicle stands to one hazard at one fix.
struct HazardAssessment {
    enum Place: Equatable {
        /// The last turn-off lies ahead.
        case before(HazardTable.Decision, distance: Metres)
        /// The last turn-off is behind, the structure ahead.
        case tooLate
        /// The last turn-off is behind, but the path most probably leads elsewhere, if only to a dead end: the
        /// structure lies round a corner.
        case aside(turn: EdgeID, distance: Metres)
    }

    /// Position in the table's `hazards`.
    var hazard: Int
    var place: Place
    var distanceToEntry: Metres
    /// Whether the vehicle would have to turn off its likely path to come there.
    var isSideRoad: Bool
    /// Whether the match is sure enough to say that no turn-off is left.
    var isCertain: Bool
    /// Whether a turn-off is left all the same, as the vehicle may be on its detour.
    var isOnDetour = false
    /// Whether it is by a known way that the vehicle's fix is beside: it is there still if that is noise, and else has left it.
    var isBesideWay = false
    /// Whether this alone raises an alert; else it only keeps one open.
    var raises: Bool
    /// Whether rule 2 raises one: from where the vehicle most probably is, a last turn-off may be behind it before it can be told
    /// anything else.
    var isLastChance = false
    /// That the vehicle comes there.
    var probability: Double

    /// The last place to leave the road, while it lies ahead.
    var turnOff: EdgeID? { if case .before(let decision, _) = place { decision.turnOff } else { nil } }

    /// Whether there is something to say: nobody is told to stop on a guess.
    var isReportable: Bool {
        switch place {
        case .before: true
        case .tooLate: isCertain && !isOnDetour && !isBesideWay
        case .aside: raises
        }
    }

    /// Whether another sighting of the same hazard has nothing to add.
    func says(asMuchAs other: HazardAssessment) -> Bool { isReportable && (raises || !other.raises) }
}

extension AlertProgress {
    init(_ assessment: HazardAssessment, at time: Timestamp) {
        let detour: Metres? = if case .before(_, let distance) = assessment.place { distance } else { nil }
        self.init(time: time, distance: assessment.distanceToEntry, detourDistance: detour)
    }
}
