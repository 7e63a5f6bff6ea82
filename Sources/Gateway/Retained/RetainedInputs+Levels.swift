import Broker
import Fleet
import Hashing
import Messages
import Store
import Wire

/// Inputs of vehicles whose topics have named levels.
///
/// What is sent on one level replaces what is retained on all others: a later session would bring that again, in an order that says
/// nothing of what is newer. What comes as retained replaces nothing, since it may be the older one.
extension RetainedInputs {
    /// For so long after the gateway has emptied a topic an empty message there is taken for its own: one comes twice where the
    /// connection ends before the broker's answer, and another gateway of the same fleet publishes the same. So long, too, what it has
    /// published may take to come back.
    private static let ownFor: Double = 60

    /// Where the store keeps `KeptLevels.overwritten`.
    static let overwrittenKey = StoreBatch.sessionPrefix + "retained-overwritten"

    /// As the store keeps it.
    var overwrittenText: String {
        levels.overwritten.keys.sorted().map { String($0, radix: 16) }.joined(separator: " ")
    }

    mutating func restore(overwritten text: String, at now: Timestamp) {
        let hashes = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
        levels.overwritten = Dictionary(hashes.map { ($0, now) }) { first, _ in first }
    }

    /// A topic of which the store keeps a payload, at the start.
    mutating func restore(_ topic: String, _ payload: [UInt8], at now: Timestamp) {
        levels.note(BytewiseText(topic), payload, at: now)
    }

    /// Has topics emptied of which the broker has perhaps not heard: the connection or the program ended meanwhile.
    mutating func emptyAgain() {
        for topic in levels.emptied.keys.sorted() where !republication.isUnderWay(topic) {
            republication.setRight(topic)
        }
    }

    /// All has come that was sent a moment ago: what the gateway has published and what has not come back for a while will not.
    mutating func expire(at now: Timestamp) {
        let time = now.adding(-Self.ownFor)
        // What was under way when an earlier connection ended was sent again over this one.
        guard let connectedAt, connectedAt < time else { return }
        republication.expire(sentBefore: time)
        levels.overwritten = levels.overwritten.filter { $0.value >= time }
    }

    /// Topics that were emptied are from now on like others on which nothing was ever kept.
    mutating func forgetEmptied(at now: Timestamp, _ taken: inout Intake.Batch) {
        // Until all has come they are not emptied again.
        guard !isAwaiting else { return }
        let due = levels.emptied.filter { now.since($0.value) >= Self.ownFor && !republication.isPending($0.key) }
        for topic in due.keys.sorted() {
            guard let (address, _) = levels.parse(topic.wrappedValue) else { continue }
            taken.retained.append((topic.wrappedValue, nil, address.vehicle))
            levels.note(topic, nil, at: now)
        }
    }

    /// Whether a message says nothing new because of what has come on other levels.
    ///
    /// - Parameters:
    ///   - engine: as it is before the message.
    ///   - kept: the payload that is kept on a topic.
    mutating func isOutdated(
        _ message: ReceivedMessage, in engine: Engine, kept: (_ topic: String) throws -> [UInt8]?, at now: Timestamp,
        _ taken: inout Intake.Batch
    ) rethrows -> Bool {
        guard let (address, topicSuffix) = levels.parse(message.topic) else { return false }
        guard message.retained else {
            guard message.payload.isEmpty else { return false }
            guard levels.takeOverwritten(message.$topic) else { return isEmptyAnyway(message.$topic, engine) }
            republication.setRight(message.$topic)
            return true
        }
        if levels.emptied[message.$topic] != nil, !isAwaiting { return true }
        let isKeptElsewhere = !levels.others(than: message.$topic).isEmpty
        if topicSuffix == .consent {
            // Nobody knows which is newer: the careful one counts.
            if let refusal = engine.refusalAddress(of: address.vehicle), !refusal.hasLevels(of: address) { return true }
            if isKeptElsewhere, waiting.isAskingOnAllLevels(about: address.vehicle) {
                // It was there when the vehicle consented on another level.
                empty(message.$topic, of: address.vehicle, at: now, &taken)
                return true
            }
        }
        return try isKeptElsewhere && kept(message.topic) == message.payload
    }

    /// Whether it changes nothing that a topic was emptied: the gateway did it, or somebody who has cleaned up a level on which
    /// nothing was in force.
    private func isEmptyAnyway(_ topic: BytewiseText, _ engine: Engine) -> Bool {
        guard levels.emptied[topic] == nil else { return true }
        guard let (address, topicSuffix) = levels.parse(topic.wrappedValue) else { return false }
        if topicSuffix == .consent, !engine.keeps(address.vehicle) {
            // After a start it is not known where a refusal came from: it holds.
            return engine.refusalAddress(of: address.vehicle)?.hasLevels(of: address) != true
        }
        // Dispatch takes back on the present levels what was sent on others.
        return !levels.isKept(topic) && !levels.others(than: topic).isEmpty
            && engine.vehicle(address.vehicle)?.address.hasLevels(of: address) != true
    }

    /// A message was taken in whose payload is kept, or that takes one back.
    ///
    /// - Parameters:
    ///   - first: index of its first input.
    ///   - engine: as it is before the message.
    mutating func noteTaken(
        _ message: ReceivedMessage, from first: Int, in engine: Engine, at now: Timestamp, _ taken: inout Intake.Batch
    ) {
        guard let (address, topicSuffix) = levels.parse(message.topic) else { return }
        if topicSuffix == .profile { leaveOutLower(message, of: address.vehicle, from: first, engine, &taken) }
        if !message.retained {
            var others = Set(levels.others(than: message.$topic))
            if topicSuffix == .consent, let refusal = engine.refusalAddress(of: address.vehicle),
                let topic = configuration.pattern.topic(for: refusal, .consent)
            {
                others.insert(BytewiseText(topic))
            }
            others.remove(message.$topic)
            for topic in others.sorted() { empty(topic, of: address.vehicle, at: now, &taken) }
            let isUnderWay = republication.isUnderWay(message.$topic) || levels.isUncertain(message.$topic)
            if isUnderWay, !message.payload.isEmpty { levels.noteOverwritten(message.$topic, at: now) }
        }
        guard topicSuffix == .consent || engine.mayBeKept(address.vehicle) else { return }
        levels.note(message.$topic, message.payload.isEmpty ? nil : message.payload, at: now)
    }

    /// Of new profiles that a session brings from several levels the tallest counts, as nobody knows which is the newest.
    private mutating func leaveOutLower(
        _ message: ReceivedMessage, of vehicle: VehicleID, from first: Int, _ engine: Engine,
        _ taken: inout Intake.Batch
    ) {
        guard message.retained else {
            broughtProfiles.remove(vehicle)
            return
        }
        guard !broughtProfiles.insert(vehicle).inserted, !levels.others(than: message.$topic).isEmpty,
            taken.inputs.count > first, case .report(.profile(let profile?), _, _)? = taken.inputs.last,
            let inForce = engine.vehicle(vehicle)?.profile?.height
        else { return }
        if profile.height.map({ $0 < inForce }) ?? true { taken.inputs.removeLast() }
    }

    /// Empties a topic on the broker. For a while the store keeps an empty payload, by which that is known again after a crash;
    /// nothing of a vehicle that may not be kept.
    private mutating func empty(
        _ topic: BytewiseText, of vehicle: VehicleID, at now: Timestamp, _ taken: inout Intake.Batch
    ) {
        taken.retained.append((topic.wrappedValue, [], vehicle))
        levels.note(topic, [], at: now)
        republication.setRight(topic)
    }

    /// A turn is on the disk.
    ///
    /// - Parameter kept: the payload that is kept from now on of a topic that the turn has taken in; nil: none is.
    mutating func noteCommit(_ topics: [String], at now: Timestamp, kept: (BytewiseText) -> [UInt8]?) {
        for topic in topics.lazy.map(BytewiseText.init(_:)) { levels.note(topic, kept(topic), at: now) }
    }
}
