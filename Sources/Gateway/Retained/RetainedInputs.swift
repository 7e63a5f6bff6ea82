import Broker
import Fleet
import Logging
import Messages
import MQTT
import Store
import Wire

/// Keeps what vehicles and dispatch have retained in step with the broker.
///
/// Only an empty payload removes an input. What a new session does not bring is kept in force and published again. A broker
/// that sends retained messages to exact topics only is asked for them topic by topic, and a vehicle's fixes wait until it
/// has answered for that vehicle. So is every broker about a vehicle that consents: nothing of it was stored before.
struct RetainedInputs {
    /// How far what the broker has is compared with what is kept; also after an end of the program in between.
    enum Review: String {
        /// A new session has not brought all yet.
        case unfinished
        /// The broker was restored from an earlier state, and not all that it has is compared yet: where it has another
        /// payload, the one that is kept is the newer one.
        case earlierState = "earlier-state"
        /// That is done, and what the gateway itself retains is not all published again yet.
        case outputs
        case finished
    }

    /// How long fixes wait for the answer. A broker that takes longer for one SUBSCRIBE is hardly there.
    private static let waitMax: Double = 10
    /// Where the store keeps what was found out about the broker.
    static let deliveryKey = "broker.retained-delivery"
    /// Where the store keeps how far what the broker has is compared with what is kept.
    static let reviewKey = "broker.retained-review"

    /// Where the store keeps the newest mark that the broker has taken.
    static let markKey = "broker.retained-marks"

    private let configuration: GatewayConfiguration
    private let logger: Logger
    private var republication = Republication()
    private var inquiry: RetainedInquiry
    private var held = HeldFixes()
    /// Nil: not known of this session.
    private(set) var delivery: RetainedDelivery?
    /// What the log says about it.
    private var logged: RetainedDelivery?
    /// Kept topics that a new session has not brought yet; nil where none is awaited.
    private var awaited: Set<String>?
    /// Whether what is awaited is asked for topic by topic.
    private var isReviewing = false
    /// Why that is to be done whatever the broker sends by itself; nil: it is not.
    private var unfinished: Review?

    init(_ configuration: GatewayConfiguration, logger: Logger) {
        self.configuration = configuration
        // Queues bring all that was published since they were declared, and the store keeps it.
        if configuration.place.isQueue { delivery = .wildcards }
        self.logger = logger
        inquiry = RetainedInquiry(
            batchMax: BrokerConnection.filtersAtOnce, answeredMax: configuration.engine.vehiclesMax)
    }

    /// Whether a new session has not brought all yet.
    var isAwaiting: Bool { awaited != nil }

    /// How many inputs are kept that the broker has lost.
    var missing: Int { republication.missing.count }
    /// How many of them are published again and have not come back.
    var republishedCount: Int { republication.underWayCount }

    /// At the start: of these vehicles all is known, unless the session turns out to be a new one, or their fixes wait for it: then
    /// the broker is asked again.
    mutating func restore(_ delivery: RetainedDelivery?, vehicles: [VehicleID], held: HeldFixes) {
        if !configuration.place.isQueue { self.delivery = delivery }
        self.held = held
        inquiry.note(answeredFor: vehicles.lazy.filter { !held.holds($0) })
        for address in held.addresses { inquire(about: address) }
    }

    // MARK: The connection

    /// The broker has forgotten the session and begins to send what it has retained.
    ///
    /// - Parameter kept: topics of which a payload is kept.
    mutating func sessionIsNew(kept: [String]) {
        awaited = Set(ownTopics(kept))
        (delivery, isReviewing, unfinished) = (nil, false, nil)
        inquiry.reset()
        republication.begin([])
    }

    mutating func sessionIsResumed() { inquiry.askAgain() }

    /// Has the broker asked for all that is kept, in a session that goes on and brings nothing of it by itself.
    ///
    /// - Parameters:
    ///   - review: why.
    ///   - kept: topics of which a payload is kept.
    mutating func compare(_ review: Review, kept: [String]) {
        (awaited, unfinished, isReviewing) = (Set(ownTopics(kept)), review, false)
        inquiry.askAgain()
        // Of an earlier state nothing is taken over: what was answered before holds on.
        guard review != .earlierState else { return }
        inquiry.reset()
        // Whose fixes wait since a start waits on.
        for address in held.addresses { inquire(about: address) }
    }

    /// What was found out about the present connection; all that the broker sends by itself has come. `releaseNext` has the fixes
    /// that have waited for it.
    mutating func probed(_ delivery: RetainedDelivery, vehicles: [VehicleAddress]) {
        if delivery != logged { log(delivery) }
        (self.delivery, logged) = (delivery, delivery)
        let asks = delivery == .exactTopics || unfinished != nil
        if asks, awaited != nil, !isReviewing { beginReview(unfinished == .earlierState ? [] : vehicles) }
        guard delivery == .wildcards else { return }
        if !asks, awaited != nil {
            // A new session has brought all.
            inquiry.reset()
            endReview()
        }
        held.endWait(of: held.vehicles.filter { !inquiry.isAwaited($0) })
    }

    /// What the broker is to be asked for next; empty: nothing, or it is not known what it sends by itself.
    mutating func nextQuestion() -> [String] { delivery == nil ? [] : inquiry.next() }

    /// All that the broker retains on the topics of the last question has come. `releaseNext` has the fixes that have waited for
    /// it.
    mutating func answered() {
        let vehicles = inquiry.finish()
        if isReviewing, inquiry.isReviewDone { endReview() }
        held.endWait(of: vehicles)
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
        let topics = topics(of: address, TopicSuffix.retainedInputs.filter { $0 != .consent })
        guard delivery != nil, !configuration.place.isQueue, !topics.isEmpty else { return false }
        inquiry.askSoon(topics, of: address.vehicle)
        return true
    }

    /// Asks for all that is kept, and for all that known vehicles may have said.
    private mutating func beginReview(_ vehicles: [VehicleAddress]) {
        isReviewing = true
        var topics = awaited ?? []
        let questions = vehicles.map { ($0.vehicle, self.topics(of: $0)) }
        for (_, ofVehicle) in questions { topics.subtract(ofVehicle) }
        // Fences and clearances first: they concern all.
        for topic in topics.sorted() { inquiry.ask([topic], of: nil) }
        for (vehicle, ofVehicle) in questions { inquiry.ask(ofVehicle, of: vehicle) }
        if inquiry.isReviewDone { endReview() }
    }

    /// What is still awaited, the broker has lost.
    private mutating func endReview() {
        guard let awaited else { return }
        self.awaited = nil
        (isReviewing, unfinished) = (false, nil)
        guard !awaited.isEmpty else { return }
        let counts = Dictionary(grouping: awaited, by: kind).map { "\($0.value.count) of \($0.key)" }.sorted()
        logger.warning(
            """
            The broker has lost \(awaited.count) retained messages (\(counts.joined(separator: ", "))); they stay in \
            force and are published again
            """)
        republication.begin(awaited.sorted())
    }

    private func kind(_ topic: String) -> String {
        let topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: [])
        return switch topics.parse(topic) {
        case .fence: "fences"
        case .clearance: "clearances"
        case .vehicle(_, let topicSuffix): topicSuffix.rawValue
        case .forget, .result, .misnamed, .input, .unknown: "earlier topics"
        }
    }

    /// What concerns all vehicles, each shard keeps; one publishes it again.
    private func ownTopics(_ kept: [String]) -> [String] {
        guard !configuration.place.speaksForFleet else { return kept }
        let topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: [])
        return kept.filter { if case .vehicle = topics.parse($0) { true } else { false } }
    }

    private func topics(
        of address: VehicleAddress, _ topicSuffixes: [TopicSuffix] = TopicSuffix.retainedInputs
    ) -> [String] {
        topicSuffixes.compactMap { configuration.pattern.topic(for: address, $0) }
    }

    private func log(_ delivery: RetainedDelivery) {
        switch delivery {
        case .wildcards: logger.info("The broker sends retained messages to wildcard subscriptions")
        case .exactTopics:
            logger.warning(
                """
                The broker sends no retained messages to wildcard subscriptions, or its rules do not let this gateway \
                retain one on \(configuration.topics.retainedProbeFilter). Retained inputs of known vehicles, fences and \
                clearances are asked for one by one; fences and clearances that are new since the last session are not \
                found
                """)
        }
    }

    // MARK: Messages

    /// A message has come, and the broker has it.
    ///
    /// - Parameter kept: the payload that is kept on a topic.
    /// - Returns: whether it says anything new: nothing that was published from here, or that an earlier state holds.
    mutating func isNews(_ message: ReceivedMessage, kept: (_ topic: String) throws -> [UInt8]?) rethrows -> Bool {
        if unfinished == .earlierState, message.retained, awaited?.contains(message.topic) == true {
            if try kept(message.topic) == message.payload { awaited?.remove(message.topic) }
            return false
        }
        awaited?.remove(message.topic)
        return !republication.isOwn(message)
    }

    /// Takes those inputs of a message out of `batch` that have to wait for what the broker retains about their vehicle.
    ///
    /// - Parameters:
    ///   - first: index of the message's first input.
    ///   - isKnown: where there is no room for more, a known vehicle's fixes wait no longer; nobody knows whether another one
    ///     consents, so that its fixes are not used.
    mutating func hold(_ batch: inout Intake.Batch, from first: Int, isKnown: (VehicleID) -> Bool) {
        guard delivery != .wildcards || !held.isEmpty else { return }
        var ready: [Input] = []
        for input in batch.inputs[first...] {
            guard let address = input.reporter, case let vehicle = address.vehicle,
                held.holds(vehicle) || isUnanswered(vehicle)
            else {
                ready.append(input)
                continue
            }
            if isUnanswered(vehicle) {
                // Consent and profile; where it is bound can follow.
                let topics = topics(of: address)
                inquiry.askSoon(Array(topics.prefix(2)), later: Array(topics.dropFirst(2)), of: vehicle)
            }
            if held.hold(input, of: vehicle) { continue }
            if isKnown(vehicle) { held.holdLast(input, of: vehicle) } else { refuse([input], &batch) }
        }
        batch.inputs.replaceSubrange(first..., with: ready)
    }

    /// Whether the broker does not send by itself what it retains about a vehicle, and was not asked for it.
    private func isUnanswered(_ vehicle: VehicleID) -> Bool {
        delivery != .wildcards && !inquiry.isAnswered(vehicle)
    }

    /// Whether fixes wait no longer for an answer and for a turn only.
    var hasReleased: Bool { held.hasDue }

    /// The fixes of a vehicle that wait no longer, in the order in which they came; nil: there are none.
    mutating func releaseNext() -> [Input]? { held.releaseNext()?.filter(\.hasFixes) }

    /// Ends a wait that has taken too long: a known vehicle's fixes are judged by what is kept; nobody knows whether another one
    /// consents, so that its fixes are not used.
    mutating func endWaiting(at now: Timestamp, isKnown: (VehicleID) -> Bool, _ batch: inout Intake.Batch) {
        for vehicle in held.vehicles(since: now.adding(-Self.waitMax)) {
            if isKnown(vehicle) { held.endWait(of: [vehicle]) } else { refuse(held.release(vehicle), &batch) }
        }
    }

    /// What the journal is to have of what waits; see `HeldFixes.takeUnrecorded`.
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

    /// The connection does not send again what was under way.
    mutating func discarded() {
        for topic in republication.discarded() {
            logger.error("The broker ends the connection for the retained message that it has lost on \(topic)")
        }
    }

    /// A vehicle was forgotten, or may be kept no longer.
    mutating func forget(_ vehicle: VehicleID) {
        inquiry.forget(vehicle)
        held.forget(vehicle)
    }

    /// Nothing is kept of these topics any more.
    mutating func forget(topics: [String]) {
        awaited?.subtract(topics)
        republication.leaveOut(topics)
    }

    /// Publishes again what the broker has lost.
    ///
    /// - Parameter kept: the payload that is kept on a topic.
    /// - Returns: how many messages were published.
    mutating func republish(over link: BrokerLink, kept: (_ topic: String) throws -> [UInt8]?) throws -> Int {
        guard link.isConnected else { return 0 }
        let qos = configuration.qos == .atMostOnce ? .atLeastOnce : configuration.qos
        return try republication.send(kept: kept) { (topic, payload) throws(BrokerError) in
            _ = try link.publish(Publication(topic: topic, payload: payload, qos: qos, retain: true))
        }
    }
}
