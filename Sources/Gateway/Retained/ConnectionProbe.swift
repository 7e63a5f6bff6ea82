import Broker
import MQTT
import Wire

/// To which subscriptions a broker sends the messages that it retains.
///
/// The raw value is what the store keeps.
package enum RetainedDelivery: String, Sendable {
    /// To all, as MQTT says (3.1.1 §3.3.1.3).
    case wildcards
    /// Only to subscriptions without a wildcard, as RabbitMQ's MQTT plugin up to version 3.12.
    case exactTopics = "exact-topics"
}

/// Finds out on each connection whether messages come back, whether retained ones come to a subscription with a wildcard,
/// and whether the broker, or the store, has come back with an earlier state.
///
/// A retained message of the gateway's own, the mark, bears a number that grows whenever a retained input has come. Where
/// a session is resumed and the mark is an older one, the broker was restored from before, and retained inputs may be
/// missing though it still knows the session: Mosquitto that was killed between two autosaves, for one. Where the mark is a
/// newer one than was ever published by what the store knows, the store was restored: a copy of it, or the one of before a move.
///
/// Marks go to two topics in turn. A mark that is under way when a connection ends is sent again by libmosquitto ahead of
/// all else, so that its topic does not tell what the broker had before; that of the newest one acknowledged does.
struct ConnectionProbe {
    enum Finding {
        /// All that the broker sends by itself for the subscriptions has come.
        case delivery(RetainedDelivery)
        case earlierState
        /// The store is the earlier one: what the broker has retained since, the session does not bring again.
        case laterState
    }

    private enum Step {
        case idle
        /// The newest mark that the broker had taken before is read.
        case checking(RetainedRead, mark: Int)
        case toMark
        case marking
        case marked
        /// The mark is read by a wildcard.
        case reading(RetainedRead)
        case done
    }

    /// Between two marks that are due to inputs.
    private static let markEvery: Duration = .seconds(1)

    private let topics: GatewayTopics
    private var step = Step.idle
    /// Whether all has come that the broker retained when the session began, and is stored or comes again until it is: the session
    /// brings by itself what is newer.
    private(set) var isSessionKnown = false
    private var isSubscribed = false
    /// The number of the newest mark that was read in this step.
    private var found: Int?
    /// The number of the newest mark that was published and not given up.
    private var number = 0
    /// The number of the newest mark that the broker has taken; nil: it has taken none.
    private(set) var acknowledged: Int?
    /// When the newest mark was published.
    private var markedAt: ContinuousClock.Instant?
    private var underWay: (id: Int32, number: Int)?
    private var isMarkDue = false
    /// Whether no mark is to leave now: what was found out waits to be taken up, and until then the stored mark is not a newer one.
    var holdsMarks = false

    init(_ topics: GatewayTopics) { self.topics = topics }

    /// - Parameters:
    ///   - mark: what `acknowledged` was when the program ran before.
    ///   - isSessionKnown: what it was then.
    mutating func restore(_ mark: Int?, isSessionKnown: Bool) {
        (number, acknowledged, self.isSessionKnown) = (mark ?? 0, mark, isSessionKnown)
    }

    mutating func connected(isNewSession: Bool) {
        (isSubscribed, found) = (false, nil)
        if isNewSession { isSessionKnown = false }
        if let acknowledged, isSessionKnown {
            step = .checking(RetainedRead([topic(ofMark: acknowledged)]), mark: acknowledged)
        } else {
            step = .toMark
        }
    }

    /// Whether all has been found out about the present connection.
    var isDone: Bool { if case .done = step { true } else { false } }

    mutating func disconnected() { step = .idle }
    /// What is under way is not sent again. The next mark has its number, and so its topic: that of the newest one acknowledged keeps
    /// it.
    mutating func discarded() {
        if underWay != nil { number -= 1 }
        underWay = nil
    }
    /// The broker has granted every subscription.
    mutating func subscribed() { isSubscribed = true }
    /// A retained input has come, or has come back: a state without it shall be known by its mark.
    mutating func inputsChanged() { isMarkDue = true }

    /// Whether a publication is a mark. A broker that refuses it is one of which nothing is known.
    func isOwn(_ publication: Int32) -> Bool { underWay?.id == publication }

    mutating func note(_ event: BrokerEvent) {
        if case .published(let id, let reason) = event, let mark = underWay, mark.id == id {
            underWay = nil
            if !reason.isRefusal { acknowledged = mark.number }
            if case .marking = step { step = .marked }
        }
        switch step {
        case .checking(var read, let mark):
            read.note(event)
            step = .checking(read, mark: mark)
        case .reading(var read):
            read.note(event)
            step = .reading(read)
        case .idle, .toMark, .marking, .marked, .done: break
        }
    }

    /// Takes the next steps that are due; where the connection has no room for one, a later call does.
    mutating func advance(over connection: any MQTTConnection, at now: ContinuousClock.Instant) {
        switch step {
        case .checking(var read, let mark):
            read.advance(over: connection, probe: topics.probe, at: now)
            step = .checking(read, mark: mark)
        case .toMark:
            // One that is under way from the connection before is sent again, and serves.
            if underWay != nil || mark(over: connection, at: now) { step = .marking }
        case .marked where isSubscribed:
            step = .reading(RetainedRead([topics.retainedProbeFilter]))
            advance(over: connection, at: now)
        case .reading(var read):
            read.advance(over: connection, probe: topics.probe, at: now)
            step = .reading(read)
        case .done where isMarkDue && !holdsMarks && underWay == nil:
            if let markedAt, now - markedAt < Self.markEvery { return }
            _ = mark(over: connection, at: now)
        case .idle, .marking, .marked, .done: break
        }
    }

    /// - Returns: whether there was room.
    private mutating func mark(over connection: any MQTTConnection, at now: ContinuousClock.Instant) -> Bool {
        let message = Publication(
            topic: topic(ofMark: number + 1), payload: Array("\(number + 1)".utf8), qos: .atLeastOnce, retain: true)
        guard let id = try? connection.publish(message) else { return false }
        number += 1
        underWay = (id, number)
        (markedAt, isMarkDue) = (now, false)
        return true
    }

    private func topic(ofMark number: Int) -> String {
        topics.retainedProbes[number % topics.retainedProbes.count]
    }

    /// - Parameter message: on a probe topic.
    /// - Returns: what was found out, with the message that completes it.
    mutating func take(_ message: ReceivedMessage) -> Finding? {
        if topics.retainedProbes.contains(message.topic) {
            if message.retained, let mark = Self.number(of: message) { found = max(found ?? mark, mark) }
            return nil
        }
        switch step {
        case .checking(let read, let mark) where read.isAnswered(by: message):
            step = .toMark
            defer { found = nil }
            return compare(found ?? 0, to: mark)
        case .reading(let read) where read.isAnswered(by: message):
            (step, isSessionKnown) = (.done, true)
            goOn(behind: found)
            return .delivery(found == nil ? .exactTopics : .wildcards)
        default: return nil
        }
    }

    /// - Returns: which of the two is the earlier one, the broker's state or the store's; nil: neither.
    private mutating func compare(_ found: Int, to mark: Int) -> Finding? {
        // One may be taken and not stored yet. The next one leaves after that is committed.
        if found > number + 1 {
            isSessionKnown = false
            goOn(behind: found)
            return .laterState
        }
        return found < mark ? .earlierState : nil
    }

    /// The broker has marks of a store before this one, or of this one before it was restored: those of this one are to be newer.
    private mutating func goOn(behind mark: Int?) {
        guard let mark, mark > number else { return }
        (number, isMarkDue) = (mark + 1, true)
    }

    /// Nil where it says no number. With 32 bits, a mark each second, there are enough for 136 years.
    private static func number(of message: ReceivedMessage) -> Int? {
        UInt32(String(decoding: message.payload, as: UTF8.self)).map { Int($0) }
    }
}
