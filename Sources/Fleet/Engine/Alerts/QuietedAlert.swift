import Geo
import Hashing
import Messages
import Roads

/// Where a vehicle may have come to stand: what the noise of a parked truck's fixes says of its road is no news.
struct Standstill: Hashable, Sendable {
    /// Walking pace: a receiver that stands reports less.
    static let speedMax: MetresPerSecond = 2
    /// The distance of two fixes of one place, where their accuracy promises less: buildings reflect.
    static let noiseMin: Metres = 30
    /// Two fixes of one place are farther apart than five times the 68 % radius once in ten thousand times.
    private static let noiseFactor = 5.0

    var place: Coordinate

    /// Whether a fix is of a vehicle that is there still.
    func holds(at fix: Fix) -> Bool {
        fix.speed ?? 0 < Self.speedMax && place.distance(to: fix.position) <= Self.radius(fix)
    }

    /// How far from its place a fix may be of a vehicle that stands there.
    static func radius(_ fix: Fix) -> Metres { max(noiseMin, noiseFactor * fix.accuracyOrAssumed) }
}

/// An alert that is over, and not raised again for now, or only under another id.
struct QuietedAlert: Hashable, Sendable {
    enum Silence: Hashable, Sendable {
        /// Nothing is said while the vehicle stands where it was.
        case standing
        /// Nothing is said before it comes nearer to the structure that it passed, or to a last turn-off before it comes there
        /// again; how far from the structure it has been since, how much road it has driven behind it without turning round, and
        /// when it passed.
        case passed(farthest: Metres, driven: Metres = 0, at: Timestamp = .distantPast)
        /// It has left the way there, and was told so: no notice begins before it comes much nearer to the structure; how far
        /// from that it has been since.
        case left(farthest: Metres)
        /// The same, where it has turned off as it was told to: since then it may be on the detour, which is a way to the other side.
        case turnedOff(farthest: Metres, at: Timestamp)
        /// Nothing is silent: it ended by another height or clearance, and may begin again before the next fix. That is another
        /// alert then, although vehicle, hazard and fix are the same. Kept until the vehicle is elsewhere.
        case none
    }

    /// More than can be open at once, which all end where the vehicle stands; the oldest goes.
    static let countMax = HazardNotice.countMax + 16
    /// Who comes so much nearer to what he passed than he was comes again, whatever the noise of his fixes.
    fileprivate static let nearerMin: Metres = 50
    /// Another way to what a driver has just been told of, and has not turned to, is no news: who goes on by it hears of it when
    /// he comes to its turn-off. With 50 m three to ten times as many alerts began within five minutes after another one of the
    /// same structure (`headroom evaluate`), and not one pass more was told the full mile.
    private static let nearerAfterLeft: Metres = 1_000
    /// Who is farther away has left what he passed.
    private static let leftAt: Metres = 750
    /// So much road behind what it passed a vehicle has driven on, whatever the noise of its fixes.
    private static let drivenOnMin: Metres = 100
    /// Who comes by a last turn-off sooner has only just been told that he has passed: many roads lead back there, and few drivers
    /// take them.
    private static let drivenAwayMin: Metres = 400
    /// For so long, too, one approach is to be told of by one alert.
    private static let passedLately: Seconds = 30
    /// Beyond this no notice begins, mostly.
    private static let outOfReach: Metres = 2 * Unit.mile
    /// The longest detour that counts by default, 30 km, at 60 km/h.
    private static let detourTime: Seconds = 1_800

    var subject: OpenAlert.Subject
    /// Where the vehicle was.
    var standstill: Standstill
    var silence: Silence
    /// Where the structure is; nil where nothing is silent once the vehicle moves.
    var structure: Coordinate?

    /// - Parameter fix: the newest, which `holds` has taken into account.
    func quiets(_ attention: AlertMessage.Attention, at fix: Fix) -> Bool {
        switch silence {
        case .standing, .passed: true
        case .left: attention == .notice
        case .turnedOff(let farthest, _):
            attention == .notice && isAway(fix, farthest) || standstill.holds(at: fix)
        case .none: false
        }
    }

    /// Whether the vehicle has passed and driven on from there, so that a last turn-off that it comes to is one before it comes
    /// there again.
    ///
    /// - Parameter isLikely: that it comes there again.
    func hasDrivenOn(at fix: Fix, isLikely: Bool) -> Bool {
        guard case .passed(_, let driven, let time) = silence, driven >= max(Self.drivenOnMin, Standstill.radius(fix))
        else { return false }
        return isLikely || driven >= Self.drivenAwayMin && fix.time.since(time) > Self.passedLately
    }

    /// Takes down what road the vehicle has driven since the fix before.
    ///
    /// - Parameter metres: nil: it has turned round, and comes back the way that it has driven.
    fileprivate mutating func drive(_ metres: Metres?) {
        guard case .passed(let farthest, let driven, let time) = silence else { return }
        silence = .passed(farthest: farthest, driven: metres.map { driven + $0 } ?? 0, at: time)
    }

    /// Takes a fix into account.
    ///
    /// - Parameter speed: as the device told it.
    /// - Returns: whether the alert is to be remembered.
    mutating func holds(at fix: Fix, telling speed: MetresPerSecond?) -> Bool {
        switch silence {
        case .standing:
            if standstill.holds(at: fix) { return true }
            guard let structure else {
                // Of a truck that stands, single fixes are reflected.
                return speed ?? 0 < Standstill.speedMax && standstill.place.distance(to: fix.position) <= Self.nearerMin
            }
            silence = .left(farthest: structure.distance(to: fix.position))
            return true
        case .passed(let farthest, let driven, let time):
            // Not from where it was found to have passed, as far behind the structure as its fixes are apart: who turns round
            // there would come no nearer to that on his way back. Stores have had records without the structure.
            let distance = (structure ?? standstill.place).distance(to: fix.position)
            silence = .passed(farthest: max(farthest, distance), driven: driven, at: time)
            return standstill.place.distance(to: fix.position) <= Self.leftAt
                && !isNearer(fix, distance, than: farthest)
        case .left(let farthest):
            guard let structure else { return false }
            silence = .left(farthest: max(farthest, structure.distance(to: fix.position)))
            return isAway(fix, farthest)
        case .turnedOff(let farthest, let time):
            guard let structure else { return false }
            silence = .turnedOff(farthest: max(farthest, structure.distance(to: fix.position)), at: time)
            return fix.time.since(time) <= Self.detourTime
        case .none: return standstill.place == fix.position
        }
    }

    /// Whoever has stood for long behind what he passed sets off anew, either way: nothing is said of it while he stands, and
    /// anything once he moves.
    fileprivate mutating func rest(at place: Standstill) {
        guard isPassed else { return }
        (standstill, silence, structure) = (place, .standing, nil)
    }

    fileprivate var isPassed: Bool { if case .passed = silence { true } else { false } }

    /// Whether the structure has not come within reach again since the vehicle left the way there.
    private func isAway(_ fix: Fix, _ farthest: Metres) -> Bool {
        guard let structure else { return false }
        let distance = structure.distance(to: fix.position)
        return distance <= Self.outOfReach && farthest - distance < Self.nearerAfterLeft
    }

    private func isNearer(_ fix: Fix, _ distance: Metres, than farthest: Metres) -> Bool {
        farthest - distance >= max(Self.nearerMin, 2 * fix.accuracyOrAssumed)
    }
}

extension Vehicle {
    /// Lets go of what does not hold any more.
    ///
    /// - Parameter previous: the fix before; nil: it is judged once more where it is.
    mutating func forgetQuieted(at fix: Fix, after previous: Fix?, on network: RoadNetwork?) {
        guard !quieted.isEmpty else { return }
        if let previous, let network, let candidate = roads.first?.candidate, quieted.contains(where: \.isPassed) {
            let metres = candidate.driven(from: previous.position, to: fix.position, on: network)
            for index in quieted.indices { quieted[index].drive(metres) }
        }
        // As of the fix before: a device that is switched off with its truck says nothing while that stands.
        let place = rest.flatMap { fix.time.since($0.since) >= RuleTime.clearedRestingAfter ? $0.standstill : nil }
        let stands = isStanding(by: fix)
        quieted = quieted.compactMap { alert in
            var alert = alert
            if let place { alert.rest(at: place) }
            let isPassed = alert.isPassed
            return alert.holds(at: fix, telling: lastFix?.speed) || isPassed && stands ? alert : nil
        }
    }

    /// Whether its device says that it stands, near where it was at the fix before: single fixes of a truck that stands are
    /// reflected, and one of them begins its rest anew.
    private func isStanding(by fix: Fix) -> Bool {
        guard let rest, let speed = lastFix?.speed, speed < Rest.speedMax else { return false }
        return rest.standstill.place.distance(to: fix.position) <= QuietedAlert.nearerMin
    }

    /// Has it told again of what it has passed: now that it is taller it may not pass once more.
    mutating func forgetPassed() { quieted.removeAll(where: \.isPassed) }

    /// Notes which of the alerts that were open a moment ago are over, and why.
    mutating func noteQuieted(
        _ before: [(id: String, subject: OpenAlert.Subject, stage: AlertMessage.Stage)], _ messages: [AlertMessage],
        at fix: Fix
    ) {
        for message in messages where message.stage.isEnd {
            guard let alert = before.first(where: { $0.id == message.id }) else { continue }
            quieted.append(
                QuietedAlert(
                    subject: alert.subject, standstill: Standstill(place: fix.position),
                    silence: message.silence(after: alert.stage, at: fix),
                    structure: message.stage == .passed || message.isLeftAlarm ? message.clearance.position : nil))
        }
        quieted.removeFirst(max(0, quieted.count - QuietedAlert.countMax))
    }
}

extension MatchCandidate {
    /// How much road it has driven from one fix to the next, below 0 where noise has it go back; nil where it has turned round.
    fileprivate func driven(from start: Coordinate, to end: Coordinate, on network: RoadNetwork) -> Metres? {
        // Of a vehicle that stands no route is known.
        let edges = route.isEmpty ? [position.edge] : route.map(network.original)
        if zip(edges, edges.dropFirst()).contains(where: { network.reverse($0) == $1 }) { return nil }
        let plane = LocalPlane(latitude: end.latitude)
        guard let first = network.foot(of: start, on: edges[0], plane),
            let last = network.foot(of: end, on: position.edge, plane)
        else { return 0 }
        return edges.dropLast().reduce(0) { $0 + network.length($1) } + last.offset - first.offset
    }
}

extension [QuietedAlert] {
    /// The id of an alert that begins: derived from what it is about, and from the fix; where one of the same has ended since
    /// that fix, from how many.
    func id(_ vehicle: VehicleID, _ subject: OpenAlert.Subject, at fix: Fix) -> String {
        let endings = count { $0.subject == subject && $0.silence == .none }
        return DerivedID.of(
            ["alert", vehicle.text] + subject.cause + ["\(fix.time.milliseconds)"]
                + (endings > 0 ? ["\(endings)"] : []))
    }
}

extension OpenAlert.Subject {
    /// What ids name. An unknown height may become a low one before the next fix: that is another alert.
    fileprivate var cause: [String] {
        switch self {
        case .entry(let key): ["\(key.way)", "\(key.from)", "\(key.to)"]
        case .unknownEntry(let key): ["unknown", "\(key.way)", "\(key.from)", "\(key.to)"]
        case .straightLine(let clearance): [clearance.wrappedValue]
        }
    }
}

extension AlertMessage {
    /// Why an alert that ends so is not raised again.
    fileprivate func silence(after last: Stage, at fix: Fix) -> QuietedAlert.Silence {
        if stage == .passed {
            let distance = clearance.position.distance(to: fix.position)
            return .passed(farthest: distance, driven: distance, at: time)
        }
        if isLeftAlarm, last == .detour { return .turnedOff(farthest: 0, at: time) }
        return reason == .standing || reason == .leftPath ? .standing : .none
    }

    /// Whether the driver hears that the structure is not on the way any more.
    fileprivate var isLeftAlarm: Bool { stage == .cleared && reason == .leftPath && attention == .alarm }
}
