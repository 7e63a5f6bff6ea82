import Clearances
import Geo
import Messages
import Roads

/// How a vehicle stands to one clearance where no road tells: by the straight line along its course.
struct StraightLineAssessment {
    var clearance: Clearance
    /// In a straight line.
    var distance: Metres
    /// The last known turn-off; nil where none is known, or all of them are behind.
    var detour: (position: Coordinate, distance: Metres)?
    /// Whether turn-offs are known, and all of them are behind.
    var isTooLate: Bool
    /// Whether it is near enough to speak.
    var isDue: Bool
}

/// Looks along the course of a vehicle, in a cone, for clearances that limit no known road.
struct StraightLineWatch {
    /// Half the cone's angle.
    static let cone: Degrees = 30
    /// How near a vehicle must come by to have gone under: as far as a clearance may be from its road, and some noise.
    static let abeam: Metres = 60
    /// How far behind, by the present course, a clearance may have lain at the fix before: where the road bends, the course turns
    /// with it.
    static let passSlack: Metres = 30
    /// Where no turn-off is known, one is taken to lie this far before the bridge.
    static let detourAssumed: Metres = Unit.mile / 2
    /// How far behind its detour point a bridge is still looked for.
    static let behindDetourMax: Metres = 5_000

    let map: StraightLineMap
    let settings: EngineSettings.Alerts
    let position: Coordinate
    let course: Degrees
    let speed: MetresPerSecond
    let interval: Seconds

    private var reach: Metres { max(settings.distance, settings.leadTime * speed) + speed * interval }

    /// What lies in the cone, the nearest first.
    func assessments() -> [StraightLineAssessment] {
        map.near(position, within: reach + Self.behindDetourMax).compactMap(assessment).sorted {
            $0.distance < $1.distance
        }
    }

    /// Nil where the clearance is not ahead, or limits another course.
    func assessment(_ clearance: Clearance) -> StraightLineAssessment? {
        guard isAhead(clearance.position) else { return nil }
        guard
            clearance.approach.isEmpty || clearance.approach.contains(where: { angle(between: $0, and: course) <= 45 })
        else { return nil }
        let distance = position.distance(to: clearance.position)
        let ahead = clearance.detours.filter { isAhead($0) && position.distance(to: $0) < distance }
            .map { (position: $0, distance: position.distance(to: $0)) }
        let nearest = ahead.min { $0.distance < $1.distance }
        let isTooLate = !clearance.detours.isEmpty && nearest == nil
        let isDue =
            clearance.detours.isEmpty ? distance <= reach + Self.detourAssumed : nearest?.distance ?? distance <= reach
        return StraightLineAssessment(
            clearance: clearance, distance: distance, detour: nearest, isTooLate: isTooLate, isDue: isDue)
    }

    /// Whether the vehicle has just gone by so near that it must have gone under. Who has turned round before a clearance has it
    /// behind him, too; but by the same course it lay behind him at the fix before as well.
    ///
    /// - Parameter previous: where it was at the fix before.
    func hasPassed(_ clearance: Clearance, from previous: Coordinate) -> Bool {
        let plane = LocalPlane(latitude: position.latitude)
        let (along, across) = plane.vector(from: position, to: clearance.position).components(along: course)
        let before = plane.vector(from: previous, to: clearance.position).components(along: course).along
        return along < 0 && before > -Self.passSlack && -along <= speed * interval + Self.abeam
            && across.magnitude <= Self.abeam
    }

    /// Notes of which open alerts the vehicle has just passed the clearance.
    ///
    /// - Parameters:
    ///   - previous: where it was at the fix before.
    ///   - time: of a fix that is older than others that were taken; nil: it is the newest. One that had a clearance ahead later on
    ///     says that it was another time.
    func notePassages(of alerts: inout [OpenAlert], from previous: Coordinate, before time: Timestamp? = nil) {
        for index in alerts.indices {
            if let time, alerts[index].wasAhead(at: time) { continue }
            guard case .straightLine(let id) = alerts[index].subject, let clearance = map.clearance(id),
                hasPassed(clearance, from: previous)
            else { continue }
            alerts[index].passage.noteThrough()
        }
    }

    private func isAhead(_ point: Coordinate) -> Bool {
        angle(between: course, and: position.bearing(to: point)) <= Self.cone
    }
}
