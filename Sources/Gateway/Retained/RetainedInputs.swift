import Broker
import Hashing
import Logging
import Messages
import MQTT
import Store
import Wire

/// Keeps what vehicles and dispatch have retained in step with the broker.
///
/// Only an empty payload removes an input. What a new session does not bring is kept in force and published again. A broker
/// that sends retained messages to exact topics only is asked for them topic by topic.
struct RetainedInputs {
    /// How far what the broker has is compared with what is kept; also after an end of the program in between.
    enum Review: String {
        /// Not all has come yet that the broker retains.
        case unfinished
        /// The broker was restored from an earlier state, and not all that it has is compared yet: where it has another
        /// payload, the one that is kept is the newer one.
        case earlierState = "earlier-state"
        /// That is done, and what the gateway itself retains is not all published again yet.
        case outputs
        case finished
    }

    /// Where the store keeps what was found out about the broker.
    static let deliveryKey = StoreBatch.sessionPrefix + "retained-delivery"
    /// Where the store keeps how far what the broker has is compared with what is kept.
    static let reviewKey = StoreBatch.sessionPrefix + "retained-review"

    /// Where the store keeps the newest mark that the broker has taken.
    static let markKey = StoreBatch.sessionPrefix + "retained-marks"

    let configuration: GatewayConfiguration
    private let logger: Logger
    var republication = Republication()
    var levels: KeptLevels
    /// Vehicles of which this session has brought a new profile, and none was sent since.
    var broughtProfiles: Set<VehicleID> = []
    /// When the present connection came about, or the last one; nil: none has since the start.
    var connectedAt: Timestamp?
    /// Whose fixes wait for what the broker retains about them.
    var waiting: WaitingVehicles
    /// What the log says about the broker.
    private var logged: RetainedDelivery?
    /// Kept topics that a new session has not brought yet; nil where none is awaited.
    private var awaited: Set<BytewiseText>?
    /// Whether what is awaited is asked for topic by topic.
    private var isReviewing = false
    /// Why that is to be done whatever the broker sends by itself; nil: it is not.
    private var unfinished: Review?

    init(_ configuration: GatewayConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        levels = KeptLevels(configuration.pattern)
        waiting = WaitingVehicles(configuration)
    }

    /// Whether a new session has not brought all yet.
    var isAwaiting: Bool { awaited != nil }

    /// How many inputs are kept that the broker has lost.
    var missing: Int { republication.missing.count }
    /// How many of them are published again and have not come back.
    var republishedCount: Int { republication.underWayCount }

    // MARK: The connection

    /// The broker has forgotten the session and begins to send what it has retained.
    ///
    /// - Parameter kept: topics of which a payload is kept.
    mutating func sessionIsNew(kept: [String]) {
        awaitAll(kept)
        levels.sessionIsNew()
    }

    /// The session goes on, and the broker begins to send all that it retains, as the store may lack some of it.
    ///
    /// - Parameter kept: topics of which a payload is kept.
    mutating func sessionIsRenewed(kept: [String]) {
        awaitAll(kept)
        levels.noteEnd()
    }

    private mutating func awaitAll(_ kept: [String]) {
        awaited = ownTopics(kept)
        (waiting.delivery, isReviewing, unfinished) = (nil, false, nil)
        waiting.inquiry.reset()
        republication.begin([])
        broughtProfiles = []
    }

    mutating func sessionIsResumed() {
        waiting.inquiry.askAgain()
        levels.noteEnd()
        emptyAgain()
    }

    /// Has the broker asked for all that is kept, in a session that goes on and brings nothing of it by itself, as the broker was
    /// restored from an earlier state. Of that nothing is taken over: what was answered before holds on.
    ///
    /// - Parameter kept: topics of which a payload is kept.
    mutating func compareEarlierState(kept: [String]) {
        (awaited, unfinished, isReviewing) = (ownTopics(kept), .earlierState, false)
        sessionIsResumed()
    }

    /// What was found out about the present connection; all that the broker sends by itself has come.
    /// `WaitingVehicles.releaseNext` has the fixes that have waited for it.
    mutating func probed(_ delivery: RetainedDelivery, vehicles: [VehicleAddress]) {
        if delivery != logged { log(delivery) }
        (waiting.delivery, logged) = (delivery, delivery)
        let asks = delivery == .exactTopics || unfinished != nil
        if asks, awaited != nil, !isReviewing { beginReview(unfinished == .earlierState ? [] : vehicles) }
        guard delivery == .wildcards else { return }
        if !asks, awaited != nil {
            // A new session has brought all.
            waiting.inquiry.reset()
            endReview()
        }
        waiting.endNeedlessWaits()
    }

    /// What the broker is to be asked for next; empty: nothing, or it is not known what it sends by itself.
    mutating func nextQuestion() -> [String] { waiting.delivery == nil ? [] : waiting.inquiry.next() }

    /// All that the broker retains on the topics of the last question has come. `WaitingVehicles.releaseNext` has the fixes that
    /// have waited for it.
    mutating func answered() {
        waiting.answered()
        if isReviewing, waiting.inquiry.isReviewDone { endReview() }
    }

    /// Asks for all that is kept, and for all that known vehicles may have said.
    private mutating func beginReview(_ vehicles: [VehicleAddress]) {
        isReviewing = true
        var topics = awaited ?? []
        let questions = vehicles.map { ($0.vehicle, configuration.retainedTopics(of: $0)) }
        for (_, ofVehicle) in questions { topics.subtract(ofVehicle.map(BytewiseText.init(_:))) }
        // Fences and clearances first: they concern all.
        for topic in topics.sorted() { waiting.inquiry.ask([topic.wrappedValue], of: nil) }
        for (vehicle, ofVehicle) in questions { waiting.inquiry.ask(ofVehicle, of: vehicle) }
        if waiting.inquiry.isReviewDone { endReview() }
    }

    /// What is still awaited, the broker has lost.
    private mutating func endReview() {
        guard let awaited else { return }
        self.awaited = nil
        (isReviewing, unfinished) = (false, nil)
        if !awaited.isEmpty { giveBack(awaited) }
        emptyAgain()
    }

    private mutating func giveBack(_ lost: Set<BytewiseText>) {
        let kinds = Dictionary(grouping: lost) { Self.kind($0.wrappedValue) }
        let counts = kinds.map { "\($0.value.count) of \($0.key)" }.sorted()
        logger.warning(
            """
            The broker has lost \(lost.count) retained messages (\(counts.joined(separator: ", "))); they stay in \
            force and are published again
            """)
        levels.noteEnd()
        republication.begin(lost.sorted().map(\.wrappedValue))
    }

    /// What is kept of a topic, for the log, whatever stands before that: the leaf of a vehicle, `fences` or `clearances`.
    static func kind(_ topic: String) -> String {
        let levels = topic.split(separator: "/").map(String.init)
        guard let last = levels.last, TopicSuffix(rawValue: last) == nil else { return levels.last ?? "" }
        return levels.dropLast().last ?? last
    }

    /// What concerns all vehicles, each shard keeps; one publishes it again. What is kept of topics that are not in use any more
    /// is not in force, and they may be another gateway's by now.
    private func ownTopics(_ kept: [String]) -> Set<BytewiseText> {
        let topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: [])
        let own = kept.filter { topic in
            if levels.emptied[BytewiseText(topic)] != nil { return false }
            let inbound = topics.parse(topic)
            if configuration.place.speaksForFleet { return inbound.isRetainedInput }
            return if case .vehicle = inbound { true } else { false }
        }
        return Set(own.map(BytewiseText.init(_:)))
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
        if unfinished == .earlierState, message.retained, awaited?.contains(message.$topic) == true {
            if try kept(message.topic) == message.payload { awaited?.remove(message.$topic) }
            return false
        }
        awaited?.remove(message.$topic)
        guard republication.isOwn(message) else { return true }
        levels.noteReturn(message.$topic)
        return false
    }

    /// The connection does not send again what was under way.
    mutating func discarded() {
        for topic in republication.discarded() {
            logger.error("The broker ends the connection for the retained message that it has lost on \(topic)")
        }
    }

    /// Nothing is kept of these topics any more.
    mutating func forget(topics: [String]) {
        awaited?.subtract(topics.map(BytewiseText.init(_:)))
        republication.leaveOut(topics)
        noteCommit(topics, at: .distantPast) { _ in nil }
    }

    /// Publishes again what the broker has lost.
    ///
    /// - Parameters:
    ///   - isUpToDate: whether all has come that was sent a moment ago.
    ///   - kept: the payload that is kept on a topic.
    /// - Returns: how many messages were given back; topics that are emptied do not count.
    mutating func republish(
        over link: BrokerLink, at now: Timestamp, isUpToDate: Bool, kept: (_ topic: String) throws -> [UInt8]?
    ) throws -> Int {
        guard link.isConnected else { return 0 }
        if isUpToDate { expire(at: now) }
        let qos = configuration.qos == .atMostOnce ? .atLeastOnce : configuration.qos
        var count = 0
        _ = try republication.send(at: now, kept: kept) { (topic, payload) throws(BrokerError) in
            _ = try link.publish(Publication(topic: topic, payload: payload, qos: qos, retain: true))
            if !payload.isEmpty { count += 1 }
        }
        return count
    }
}

extension InboundTopic {
    /// Whether what is retained there is kept, and taken up at a start.
    var isRetainedInput: Bool {
        switch self {
        case .vehicle, .fence, .clearance: true
        case .forget, .result, .misnamed, .input, .unknown: false
        }
    }
}
