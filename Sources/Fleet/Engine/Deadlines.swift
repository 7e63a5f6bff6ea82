import Geo
import HeapModule
import Messages

/// When something falls due for a vehicle without a fix.
struct Deadlines {
    struct Deadline: Comparable {
        var due: DueTime
        var vehicle: KeptVehicle

        /// Not by names: to compare these at each step in a heap takes longer than all else.
        static func < (a: Deadline, b: Deadline) -> Bool { a.due < b.due }

        static func == (a: Deadline, b: Deadline) -> Bool { a.due == b.due && a.vehicle === b.vehicle }
    }

    /// What is in force each vehicle says, and which of its entries counts; others are passed over.
    private var queue = Heap<Deadline>()
    /// How many vehicles have an entry that counts.
    private var vehicleCount = 0

    /// How many entries there are, those that are passed over among them.
    var count: Int { queue.count }

    /// Nothing is due before.
    var next: DueTime? { queue.min?.due }

    /// Replaces the vehicle's deadline.
    mutating func set(_ time: Timestamp, for vehicle: KeptVehicle) {
        vehicle.deadline = time
        // A later deadline leaves the entry where it is: on coming due it is looked at and set anew, so that fixes which push
        // the deadline back cost nothing here.
        if let queued = vehicle.queuedDeadline, queued <= time { return }
        insert(DueTime(time, of: vehicle.id), vehicle)
        if queue.count > 2 * vehicleCount + Self.idleMax { removeIdle() }
    }

    mutating func remove(_ vehicle: KeptVehicle) { vehicle.deadline = nil }

    /// Those due up to `end`, by time, of one moment by their vehicles' ids; each once.
    mutating func due(upTo end: DueTime) -> [Deadline] {
        var due: [Deadline] = []
        while let first = queue.min, first.due <= end {
            queue.removeMin()
            // An earlier one has taken its place.
            guard first.isInForce else { continue }
            first.vehicle.queuedDeadline = nil
            vehicleCount -= 1
            guard let time = first.vehicle.deadline else { continue }
            let deadline = DueTime(time, part: first.due.part)
            if deadline > end {
                insert(deadline, first.vehicle)
            } else {
                first.vehicle.deadline = nil
                due.append(Deadline(due: deadline, vehicle: first.vehicle))
            }
        }
        return due.sorted { a, b in
            a.due.time == b.due.time ? a.vehicle.id < b.vehicle.id : a.due.time < b.due.time
        }
    }

    // MARK: Entries

    /// Besides as many as count, so many that do not are left where they are.
    private static let idleMax = 64

    private mutating func insert(_ due: DueTime, _ vehicle: KeptVehicle) {
        if vehicle.queuedDeadline == nil { vehicleCount += 1 }
        vehicle.queuedDeadline = due.time
        queue.insert(Deadline(due: due, vehicle: vehicle))
    }

    /// A deadline that goes back and forth leaves an entry each time, which would otherwise stay until its time has come.
    private mutating func removeIdle() { queue = Heap(queue.unordered.filter(\.isInForce)) }
}

extension Deadlines.Deadline {
    /// Whether it is the entry that counts for its vehicle.
    fileprivate var isInForce: Bool { vehicle.queuedDeadline == due.time }
}

extension Vehicle {
    /// Past this a position says nothing about now. A device is given time to report when a circle ends in which it was free
    /// not to.
    @inline(__always)
    func staleFrom(_ fix: Fix, _ settings: EngineSettings) -> Timestamp {
        let wait = max(RuleTime.staleAfterIntervals * reportInterval(settings), RuleTime.staleAfterMin)
        guard let tracking = quiet.published else { return fix.time.adding(wait) }
        return tracking.quiet == nil
            ? max(fix.time, tracking.time).adding(wait) : max(fix.time.adding(wait), tracking.validUntil)
    }

    /// Whether the device was free not to report between its last fix and this one.
    @inline(__always)
    func wasAllowedSilence(until fix: Fix, _ settings: EngineSettings) -> Bool {
        guard let lastFix, let circle = quiet.published?.quiet else { return false }
        return circle.center.distance(to: lastFix.position) <= circle.radius
            && fix.time.since(lastFix.time) > settings.fixes.reportInterval
    }

    /// The next moment at which something may change without a fix: the position goes stale, alerts end, the profile ends, a
    /// height is asked for. Nil: nothing will.
    @inline(__always)
    func nextDeadline(_ settings: EngineSettings) -> Timestamp? {
        var next: Timestamp?
        // What was last published counts: past the end of a profile its deadline must not hide those that come later.
        let status = published?.heightStatus
        // A height runs out whether or not a fix has come.
        if status == .ok, let profile {
            next = EffectiveHeight.end(of: profile, since: profileSince, settings.heights)
        }
        guard let fix = lastFix, let first = firstFix else { return next }
        if !isPositionStale { next = .earlier(next, staleFrom(fix, settings)) }
        if !alerts.isEmpty { next = .earlier(next, fix.time.adding(RuleTime.clearedSilentAfter)) }
        if status == .assumed, !requests.has(.heightRequired) {
            next = .earlier(next, first.adding(RuleTime.requestAfterFirstFix))
        }
        return next
    }
}
