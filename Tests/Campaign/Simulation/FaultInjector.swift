import GatewayTestSupport

/// Brings a plan's faults about, each at its time and place.
final class FaultInjector {
    /// So that a disk that is full, or a silent broker, is over before the run is.
    private struct Condition {
        var end: Int
        var undo: () -> Void
    }

    unowned var simulation: Simulation!
    private var planned: ArraySlice<(time: Int, fault: Fault)>
    /// Faults whose time has come, and whose place has not.
    private var armed: [Fault] = []
    private var conditions: [Condition] = []
    /// How many more operations of the disk fail, and with what.
    private var failing: (failure: FaultyDisk.Failure, attempts: Int)?
    private var isRestartDue = false
    private var isPowerLost = false
    private var hasDecided = false
    private var snapshots: [TestBroker.Snapshot] = []
    /// Whether the broker is to come back with what it had before, as soon as nothing would be lost by that but what is retained.
    private var forgets: Bool?
    private(set) var clockOffset = 0
    /// How many there were, by their names.
    private(set) var counts: [String: Int] = [:]

    init(_ plan: FaultPlan) { planned = plan.faults[...] }

    /// When the next fault is due.
    var nextTime: Int? { planned.first?.time }

    func takeRestart() -> Bool {
        defer { isRestartDue = false }
        return isRestartDue
    }

    func takePowerLoss() -> Bool {
        defer { isPowerLost = false }
        return isPowerLost
    }

    // MARK: Times

    func advance(to now: Int) {
        for condition in conditions where condition.end <= now { condition.undo() }
        conditions.removeAll { $0.end <= now }
        if now > Scenario.length { armed = [] }
        while let first = planned.first, first.time <= now {
            planned.removeFirst()
            begin(first.fault, at: now)
        }
        if now % 10_000 < 100, let snapshot = simulation.broker.snapshot {
            snapshots = snapshots.suffix(3) + [snapshot]
        }
        if let isEmpty = forgets, simulation.broker.isDoneWithInputs {
            forgets = nil
            count("forgetful")
            simulation.observer.cuts += 1
            simulation.connection?.lose()
            simulation.broker.restore(isEmpty ? nil : snapshots.first)
        }
    }

    private func begin(_ fault: Fault, at now: Int) {
        switch fault {
        case .kill, .powerLoss, .cut: armed.append(fault)
        case .restart:
            count("restart")
            isRestartDue = true
        case .freeze(let duration):
            count("freeze")
            simulation.broker.isAway = true
            conditions.append(Condition(end: now + duration) { [unowned self] in simulation.broker.isAway = false })
        case .slow(let duration, let messages):
            count("slow")
            limit(messages)
            conditions.append(Condition(end: now + duration) { [unowned self] in limit(.max) })
        case .disk(let failure, let attempts):
            count("disk")
            failing = (failure, attempts)
            simulation.observer.hasDiskFailed = true
        case .lie(let duration):
            count("lie")
            simulation.disk.isLying = true
            conditions.append(Condition(end: now + duration) { [unowned self] in simulation.disk.isLying = false })
        case .clock(let jump):
            count("clock")
            clockOffset += jump
        case .forgetful(let isEmpty): forgets = isEmpty
        case .doubled(let duration):
            count("doubled")
            simulation.broker.copies = 2
            conditions.append(Condition(end: now + duration) { [unowned self] in simulation.broker.copies = 1 })
        }
    }

    private var messagesAtOnce = Int.max

    private func limit(_ messages: Int) {
        messagesAtOnce = messages
        apply()
    }

    /// A new connection is as slow as the one before.
    func apply() {
        simulation.connection?.messagesAtOnce = messagesAtOnce
        simulation.connection?.publicationsAtOnce = messagesAtOnce
    }

    private func count(_ name: String) {
        counts[name, default: 0] += 1
        simulation.tell("fault: \(name)")
    }

    // MARK: Places

    func passBegins() { hasDecided = true }

    /// The gateway has come to a step.
    func meet(_ step: Fault.Step) {
        if step == .receive { hasDecided = false }
        for index in armed.indices.reversed() {
            guard let place = armed[index].place, place.step == step else { continue }
            if place.count > 1 {
                armed[index].place?.count -= 1
            } else {
                bringAbout(armed.remove(at: index), step)
                if simulation.disk.isDead { return }
            }
        }
    }

    private func bringAbout(_ fault: Fault, _ step: Fault.Step) {
        switch fault {
        case .kill(_, let down):
            count("kill at \(step)")
            simulation.kill(down: down)
        case .powerLoss(_, let down):
            count("power loss at \(step)")
            isPowerLost = true
            simulation.kill(down: down)
        case .cut:
            count("cut at \(step)")
            simulation.observer.cuts += 1
            simulation.connection?.lose()
        case .restart, .freeze, .slow, .disk, .lie, .clock, .forgetful, .doubled: break
        }
    }

    /// With what an operation of the disk fails; nil: it does not.
    func failure(of operation: FaultyDisk.Operation) -> FaultyDisk.Failure? {
        if !hasDecided {
            hasDecided = true
            meet(.decide)
        }
        meet(.commit)
        guard let (failure, attempts) = failing, !simulation.disk.isDead else { return nil }
        if failure == .sync, operation != .sync { return nil }
        if failure != .sync, operation == .sync { return nil }
        failing = attempts > 1 ? (failure, attempts - 1) : nil
        return failure
    }
}

extension Fault {
    /// Nil: it has none.
    fileprivate var place: Place? {
        get {
            switch self {
            case .kill(let place, _), .powerLoss(let place, _), .cut(let place): place
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .kill(_, let down): self = .kill(newValue, down: down)
            case .powerLoss(_, let down): self = .powerLoss(newValue, down: down)
            case .cut: self = .cut(newValue)
            default: break
            }
        }
    }
}
