import Broker
import Fleet
import Messages
import Wire

/// Vehicles about which the broker is asked what it retains, and whose fixes wait until it has answered.
///
/// Where it sends retained messages to exact topics only, that is every vehicle of which fixes come. Everywhere it is one that
/// consents: nothing of it was stored before.
struct WaitingVehicles {
    /// How long a vehicle's fixes wait at most, however much the broker has still to send. From a fix that is older than a minute no
    /// alert is raised: to wait longer would keep back fence events and visits for nothing.
    private static let waitMax: Double = 120
    /// How long they wait for a broker that says nothing. One that takes longer for one SUBSCRIBE is hardly there.
    private static let silenceMax: Double = 10

    private let configuration: GatewayConfiguration
    /// What is kept is asked for with it, too: the broker is asked one question at a time.
    var inquiry: RetainedInquiry
    private var held = HeldReports()
    /// To which subscriptions the broker sends what it retains; nil: not known of this session.
    var delivery: RetainedDelivery?
    /// Whether anything has come since `endWaiting` was last called by which the broker may be answering.
    private var hasAnswered = false
    /// When that was so last, or when `endWaiting` was called first.
    private var answeredAt: Timestamp?
    /// Since when it has not been known what the broker sends by itself while it sends something.
    private var unknownSince: Timestamp?

    init(_ configuration: GatewayConfiguration) {
        self.configuration = configuration
        // Queues bring all that was published since they were declared, and the store keeps it.
        if configuration.place.isQueue { delivery = .wildcards }
        inquiry = RetainedInquiry(
            batchMax: BrokerConnection.filtersAtOnce, answeredMax: configuration.engine.vehiclesMax)
    }

    /// At the start: of these vehicles all is known, unless the session turns out to be a new one, or their fixes wait for it: then
    /// the broker is asked again.
    mutating func restore(_ delivery: RetainedDelivery?, vehicles: [VehicleID], held: HeldReports) {
        if !configuration.place.isQueue { self.delivery = delivery }
        self.held = held
        inquiry.note(answeredFor: vehicles.lazy.filter { !held.holds($0) })
        for address in held.addresses { inquire(about: address) }
    }

    /// All has come that the broker sends by itself: who is not asked about waits no longer.
    mutating func endNeedlessWaits() { held.endWait(of: held.vehicles.filter { !inquiry.isAwaited($0) }) }

    /// All that the broker retains on the topics of the last question has come.
    mutating func answered() {
        hasAnswered = true
        held.endWait(of: inquiry.finish())
    }

    /// A vehicle consents of which nothing was to be stored before: what it and dispatch have retained is in memory, if it came
    /// since the start. Its fixes wait until the broker has been asked for it.
    mutating func consented(_ address: VehicleAddress, at now: Timestamp) {
        if inquire(about: address) { held.beginWait(of: address, at: now) }
    }

    /// Asks for what is retained about a vehicle whose consent is known.
    ///
    /// - Returns: whether the broker is asked: not about what a new session is still to bring, and not for what comes in queues.
    @discardableResult
    private mutating func inquire(about address: VehicleAddress) -> Bool {
        let topics = retainedTopics(about: address)
        guard delivery != nil, !configuration.place.isQueue, !topics.isEmpty else { return false }
        inquiry.askSoon(topics, of: address.vehicle)
        return true
    }

    /// Where a vehicle and dispatch may have retained what is not known: on other levels than where it consents, too, if wildcards
    /// lead there. What was said about consent there is older.
    private func retainedTopics(about address: VehicleAddress) -> [String] {
        guard asksOnAllLevels else {
            return configuration.retainedTopics(of: address, TopicSuffix.retainedInputs.filter { $0 != .consent })
        }
        return TopicSuffix.retainedInputs.map { configuration.pattern.filter(for: address.vehicle, $0) }
    }

    private var asksOnAllLevels: Bool { configuration.pattern.namedLevelCount > 0 && delivery == .wildcards }

    /// Whether all levels are being asked for what is retained about a vehicle that consents.
    func isAskingOnAllLevels(about vehicle: VehicleID) -> Bool { asksOnAllLevels && inquiry.isAwaited(vehicle) }

    /// Takes those inputs of a message out of `batch` that have to wait for what the broker retains about their vehicle, or behind
    /// those that do.
    ///
    /// - Parameters:
    ///   - first: index of the message's first input.
    ///   - isRetained: whether the broker retained the message: it may be older than what waits, and what is waited for.
    ///   - isKnown: where there is no room for more, the older half of a known vehicle's fixes waits no longer; nobody knows whether
    ///     another one consents, so that those of its fixes are not used.
    mutating func hold(
        _ batch: inout Intake.Batch, from first: Int, isRetained: Bool, isKnown: (VehicleID) -> Bool
    ) {
        // All that it retains may be on its way.
        if delivery == nil { hasAnswered = true }
        guard delivery != .wildcards || !held.isEmpty else { return }
        var ready: [Input] = []
        for input in batch.inputs[first...] {
            guard case .report(let report, let address, _) = input, case let vehicle = address.vehicle,
                report.isLocation
                    ? held.holds(vehicle) || isUnanswered(vehicle)
                    : isKnown(vehicle) && isBehind(report, of: vehicle, isRetained: isRetained)
            else {
                ready.append(input)
                continue
            }
            if report.isLocation, isUnanswered(vehicle) {
                // Consent and profile; where it is bound can follow.
                let topics = configuration.retainedTopics(of: address)
                inquiry.askSoon(Array(topics.prefix(2)), later: Array(topics.dropFirst(2)), of: vehicle)
            }
            end(held.hold(input, of: vehicle), of: vehicle, isKnown, &batch)
        }
        batch.inputs.replaceSubrange(first..., with: ready)
    }

    /// Whether a report that tells no position was published behind fixes that wait, and changes how they are judged. What the driver
    /// says of consent counts at once.
    private func isBehind(_ report: Report, of vehicle: VehicleID, isRetained: Bool) -> Bool {
        guard let topicSuffix = report.retainedSuffix, topicSuffix != .consent else { return false }
        // What is retained on a topic is no older than what has come there.
        return held.reports(of: vehicle).contains { $0.retainedSuffix == topicSuffix || !isRetained && $0.hasFixes }
    }

    /// Whether the broker does not send by itself what it retains about a vehicle, and was not asked for it.
    private func isUnanswered(_ vehicle: VehicleID) -> Bool {
        delivery != .wildcards && !inquiry.isAnswered(vehicle)
    }

    /// Whether fixes wait no longer for an answer and for a turn only.
    var hasReleased: Bool { held.hasDue }

    /// The reports of a vehicle that wait no longer, in the order in which they came; nil: there are none.
    mutating func releaseNext() -> [Input]? {
        held.releaseNext()?.filter { $0.reporter == nil || $0.fixCount > 0 }
    }

    /// Ends waits that have taken too long. Called with each turn.
    mutating func endWaiting(at now: Timestamp, isKnown: (VehicleID) -> Bool, _ batch: inout Intake.Batch) {
        unknownSince = delivery != nil ? nil : unknownSince ?? (hasAnswered ? now : nil)
        // A broker that has not sent all by then never says so, as where its rules do not let a probe come back.
        let isOverdue = unknownSince.map { now.since($0) > Self.waitMax } ?? false
        let last = hasAnswered && !isOverdue ? now : answeredAt ?? now
        (hasAnswered, answeredAt) = (false, last)
        let isSilent = now.since(last) > Self.silenceMax
        for vehicle in held.vehicles(since: now.adding(isSilent ? -Self.silenceMax : -Self.waitMax)) {
            end(.max, of: vehicle, isKnown, &batch)
        }
    }

    /// Ends the wait of the first so many reports of a vehicle: a known one's fixes are judged by what is kept; nobody knows whether
    /// another one consents, so that its fixes are not used.
    private mutating func end(
        _ count: Int, of vehicle: VehicleID, _ isKnown: (VehicleID) -> Bool, _ batch: inout Intake.Batch
    ) {
        guard count > 0 else { return }
        if isKnown(vehicle) {
            held.endWait(of: vehicle, first: count)
        } else {
            refuse(held.release(vehicle, first: count), &batch)
        }
    }

    /// What the journal is to have of what waits; see `HeldReports.takeUnrecorded`.
    mutating func takeHeld(of isKept: (VehicleID) -> Bool) -> (held: [Input], released: [VehicleID]) {
        held.takeUnrecorded(of: isKept)
    }

    private func refuse(_ inputs: [Input], _ batch: inout Intake.Batch) {
        for case .report(.location(let fixes), _, _) in inputs {
            batch.rejections += fixes.map { _ in
                RejectedInput(.consentUnanswered, "a vehicle's location", source: "location")
            }
        }
    }

    /// A vehicle was forgotten, or may be kept no longer.
    ///
    /// - Returns: what has waited of it besides fixes, in the order in which it came.
    @discardableResult
    mutating func forget(_ vehicle: VehicleID) -> [Input] {
        inquiry.forget(vehicle)
        return held.forget(vehicle)
    }
}

extension GatewayConfiguration {
    /// Where a vehicle and dispatch retain what is taken in about it.
    func retainedTopics(
        of address: VehicleAddress, _ topicSuffixes: [TopicSuffix] = TopicSuffix.retainedInputs
    ) -> [String] {
        topicSuffixes.compactMap { pattern.topic(for: address, $0) }
    }
}
