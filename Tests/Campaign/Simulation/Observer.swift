import Broker
import Gateway
import FleetTestSupport
import GatewayTestSupport
import Geo
import Messages
import Store

/// Watches a run: what must hold at every moment.
struct Observer {
    /// Messages that one turn stores: twice what `TurnBudget` allows, since the last input of a turn may lead to as much.
    private static let turnMax = 8_000
    /// Messages that are taken and not acknowledged.
    private static let waitingMax = 16_384 + 4_096
    /// An alert is judged by no older position; a pass may take two seconds in which the clock is put right.
    private static let alertAgeMax: Seconds = 58

    /// Milliseconds: no pass without a fault takes longer.
    private static let delayMax = 100
    /// Milliseconds that a vehicle is behind its newest fix at most: `fixes.reorder`, and what `Timeline` adds to it.
    private static let followedAfterMax = 12_100
    /// Milliseconds from the start of a session in which fixes may wait for what the broker retains, while a changed fence or clearance
    /// counts at once.
    private static let answerMax = 10_000
    /// Seconds of processor time. The clock of the simulation stands still in a pass, so that a turn's limit on time ends none: those
    /// on its messages and their bytes do, and leave 0.2 s for a crowd, 0.5 s on a slow machine.
    private static let passTimeMax = 2.0

    /// What did not hold first.
    private(set) var violation: String?
    /// How often the gateway ended.
    private(set) var endings = 0
    /// When there was no gateway, in milliseconds.
    private(set) var absences: [Range<Int>] = []
    private var endedAt: Int?
    var cuts = 0
    /// The longest pass, in seconds of processor time.
    private(set) var passTime = 0.0
    /// For how many milliseconds a fix waited at most until it was acknowledged.
    private(set) var waitMax = 0
    /// When a power loss first undid commits, in milliseconds, with what they acknowledged; nil: never.
    private(set) var undoneAt: Int?
    /// Whether no gateway has started since.
    private var isUndone = false
    /// Retained inputs in the order in which they reached the broker.
    private var inputs: [(topic: String, payload: [UInt8])] = []
    /// Whether a write or a sync was made to fail: what is left of it is not synced.
    var hasDiskFailed = false
    var durability = StoreDurability.power
    /// What reached the broker of each retained input, in its order, when it was to, in milliseconds, and how much of that is
    /// acknowledged.
    private var retained: [String: (payloads: [[UInt8]], planned: [Int], acknowledged: Int)] = [:]
    /// Fixes that have reached the broker, and when they did.
    private var arrivals: [[UInt8]: (time: Int, vehicle: String, fixTime: Timestamp)] = [:]
    /// The newest fix of each vehicle that is acknowledged.
    private var newest: [String: Timestamp] = [:]
    /// When the broker began a session that it had not, in milliseconds, and the oldest fix of each vehicle that was acknowledged since.
    private var session: (start: Int, oldest: [String: Timestamp]) = (.min / 2, [:])
    /// From when on, in milliseconds, the alerts and requests of a vehicle may differ: from a position that was too old when
    /// something was judged by it; or from an input on that has no time of its own and that the gateway had at another time.
    private(set) var mayDiffer: [String: Int] = [:]
    /// Fences that the gateway had at another time, or before it had followed vehicles as far as without faults, so that these
    /// may have been elsewhere then.
    private(set) var lateFences: Set<String> = []
    /// Until when, in milliseconds, a vehicle may be followed later than without faults, as its fixes came later.
    private var isBehindUntil = 0

    mutating func violate(_ text: String) { if violation == nil { violation = text } }

    mutating func note(arrived message: Script.Message, time: Int, planned: Int, copies: Int) {
        let payload = Array(message.payload.utf8)
        if message.isRetained {
            retained[message.topic, default: ([], [], 0)].payloads += Array(repeating: payload, count: copies)
            retained[message.topic]?.planned += Array(repeating: planned, count: copies)
            inputs.append((message.topic, payload))
        } else if let fixTime = message.fixTime {
            arrivals[payload] = (time, Self.vehicle(message.topic), fixTime)
        }
    }

    private static func vehicle(_ topic: String) -> String { String(topic.split(separator: "/")[1]) }

    /// Alerts of a vehicle are judged by its newest fix.
    private mutating func noteJudgement(of vehicle: String, at clock: Timestamp) {
        guard let fixTime = newest[vehicle], clock.since(fixTime) > Self.alertAgeMax else { return }
        allowDifference(of: vehicle, from: Int(fixTime.seconds * 1_000))
    }

    /// Profiles, routes, fences and clearances count from when the gateway has them.
    private mutating func noteDelay(
        of topic: String, _ vehicles: [String], planned: Int, time: Int, at clock: Timestamp
    ) {
        let had = Int(clock.seconds * 1_000)
        let isFence = topic.hasPrefix("headroom/fences/")
        if topic.hasPrefix("headroom/"), time < session.start + Self.answerMax, !session.oldest.isEmpty {
            if isFence { lateFences.insert(String(topic.split(separator: "/")[2])) }
            for (vehicle, oldest) in session.oldest where !isFence {
                allowDifference(of: vehicle, from: Int(oldest.seconds * 1_000))
            }
        }
        guard abs(had - planned) > Self.delayMax || isFence && planned < isBehindUntil else { return }
        if isFence {
            lateFences.insert(String(topic.split(separator: "/")[2]))
        } else {
            for vehicle in vehicles { allowDifference(of: vehicle, from: min(had, planned)) }
        }
    }

    private mutating func allowDifference(of vehicle: String, from time: Int) {
        mayDiffer[vehicle] = min(mayDiffer[vehicle] ?? .max, time)
    }

    mutating func note(sessionAt time: Int) { session = (time, [:]) }

    mutating func note(endAt time: Int) {
        endings += 1
        endedAt = endedAt ?? time
    }

    mutating func note(startAt time: Int) {
        if let endedAt { absences.append(endedAt..<time) }
        endedAt = nil
    }

    /// - Parameter time: of the processor, in seconds.
    mutating func note(passOf time: Double) {
        passTime = max(passTime, time)
        if time > Self.passTimeMax { violate("a pass took \(time) s, expected at most \(Self.passTimeMax) s") }
    }

    /// The machine has lost its power, and the disk what commits had written.
    mutating func note(undoneAt time: Int) {
        isUndone = undoneAt == nil
        undoneAt = undoneAt ?? time
    }

    mutating func note(turnOf messages: Int) {
        if messages > Self.turnMax { violate("one turn stored \(messages) messages, expected at most \(Self.turnMax)") }
    }

    /// - Parameter error: with which the gateway ended by itself.
    mutating func note(ending error: any Error) {
        switch error {
        // Cut so often that no connection lasts, it takes that for another client of its name.
        case GatewayError.sessionTakenOver, GatewayError.brokerEndsConnections: return
        // A start on a disk that fails.
        case let error as StoreError where error.temporaryReason != nil: return
        default: violate("the gateway ended: \(error)")
        }
    }

    /// Acknowledgements of these messages are about to leave.
    ///
    /// - Parameter clock: as the gateway has it.
    mutating func check(
        acknowledged messages: ArraySlice<ReceivedMessage>, _ disk: FaultyDisk, time: Int, clock: Timestamp
    ) {
        if messages.count > Self.waitingMax { violate("\(messages.count) messages wait for their acknowledgement") }
        var isInput = false
        for message in messages {
            if let fix = arrivals[message.payload] {
                waitMax = max(waitMax, time - fix.time)
                if time - fix.time > Self.delayMax { isBehindUntil = time + Self.followedAfterMax }
                // One of a moment before is none to judge by.
                newest[fix.vehicle] = max(newest[fix.vehicle] ?? .distantPast, fix.fixTime)
                session.oldest[fix.vehicle] = min(session.oldest[fix.vehicle] ?? fix.fixTime, fix.fixTime)
                noteJudgement(of: fix.vehicle, at: clock)
                isInput = true
            } else if var entry = retained[message.topic] {
                guard let index = entry.payloads[entry.acknowledged...].firstIndex(of: message.payload) else {
                    continue
                }
                entry.acknowledged = index + 1
                retained[message.topic] = entry
                isInput = true
                let isShared = message.topic.hasPrefix("headroom/")
                let vehicles = isShared ? Array(newest.keys) : [Self.vehicle(message.topic)]
                for vehicle in vehicles { noteJudgement(of: vehicle, at: clock) }
                noteDelay(of: message.topic, vehicles, planned: entry.planned[index], time: time, at: clock)
            }
        }
        guard isInput, durability == .power, !hasDiskFailed, disk.unsyncedBytes > 0 else { return }
        violate("an input was acknowledged while \(disk.unsyncedBytes) bytes of the store were not synced")
    }

    /// A gateway has started again: what was acknowledged is stored, or what was stored at some moment before.
    mutating func check(restored gateway: GatewayProcess) throws {
        guard undoneAt == nil else { return try check(undone: gateway) }
        for (topic, entry) in retained.sorted(by: { $0.key < $1.key }) where entry.acknowledged > 0 {
            let stored = try gateway.retained(topic) ?? []
            let possible = entry.payloads[(entry.acknowledged - 1)...]
            if !possible.contains(stored) {
                violate(
                    "\(topic): \(String(decoding: possible.first ?? [], as: UTF8.self)) was acknowledged, and "
                        + "\(String(decoding: stored, as: UTF8.self)) is stored")
            }
        }
    }

    /// Commits are undone in their order: of the inputs that reached the broker a beginning is stored.
    private mutating func check(undone gateway: GatewayProcess) throws {
        guard isUndone else { return }
        isUndone = false
        let stored = try retained.keys.reduce(into: [:]) { $0[$1] = try gateway.retained($1) ?? [] }
        var expected = stored.mapValues { _ in [UInt8]() }
        for input in inputs where expected != stored { expected[input.topic] = input.payload }
        if expected != stored { violate("what is stored of retained inputs is the state of no moment before") }
    }

    /// All faults are over, and nothing has happened for a while.
    mutating func check(settled gateway: GatewayProcess?, _ broker: TestBroker) {
        guard let gateway else { return violate("the gateway does not start again") }
        if gateway.outboxCount > 0 { violate("\(gateway.outboxCount) messages are never sent") }
        if let first = broker.unacknowledged.first { violate("messages are never acknowledged, the first on \(first)") }
        let problems = gateway.shared.readiness.problems
        if !problems.isEmpty { violate("it is not ready: \(problems)") }
    }
}
