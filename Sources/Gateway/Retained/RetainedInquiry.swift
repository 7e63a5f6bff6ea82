import DequeModule
import Fleet
import Messages

/// What a broker is still to be asked for that it does not send by itself: topic by topic, in batches, vehicles whose fixes
/// wait before all others.
struct RetainedInquiry {
    struct Question {
        /// Whose topics they are; nil: of no vehicle, or not all of a vehicle's.
        var vehicle: VehicleID?
        var topics: [String]
        /// Whether a fix waits for the answer.
        var isUrgent = false
    }

    private let batchMax: Int
    /// Beyond as many vehicles all are asked about again: names that somebody makes up must not fill the memory.
    private let answeredMax: Int
    private var urgent: Deque<Question> = []
    private var others: Deque<Question> = []
    private var underWay: [Question] = []
    /// Vehicles of urgent questions that are not answered.
    private var awaited: Set<VehicleID> = []
    /// Vehicles about which all is known that the broker retains.
    private var answered: Set<VehicleID> = []

    /// - Parameter batchMax: topics that are asked for at once.
    init(batchMax: Int, answeredMax: Int) {
        self.batchMax = batchMax
        self.answeredMax = answeredMax
    }

    /// Whether all but urgent questions are answered.
    var isReviewDone: Bool { others.isEmpty && underWay.allSatisfy(\.isUrgent) }

    func isAnswered(_ vehicle: VehicleID) -> Bool { answered.contains(vehicle) }

    /// Whether an urgent question about a vehicle is not answered.
    func isAwaited(_ vehicle: VehicleID) -> Bool { awaited.contains(vehicle) }

    /// A new session: nothing of what was answered before holds on.
    mutating func reset() { (urgent, others, underWay, awaited, answered) = ([], [], [], [], []) }

    /// What was under way on a connection that has ended is asked again.
    mutating func askAgain() {
        for question in underWay.reversed() {
            if question.isUrgent { urgent.prepend(question) } else { others.prepend(question) }
        }
        underWay = []
    }

    mutating func note(answeredFor vehicles: some Sequence<VehicleID>) {
        for vehicle in vehicles {
            if answered.count >= answeredMax { answered.removeAll() }
            answered.insert(vehicle)
        }
    }

    mutating func forget(_ vehicle: VehicleID) {
        answered.remove(vehicle)
        awaited.remove(vehicle)
        urgent.removeAll { $0.vehicle == vehicle }
        others.removeAll { $0.vehicle == vehicle }
    }

    /// - Parameter topics: of one vehicle; nil: of none.
    mutating func ask(_ topics: [String], of vehicle: VehicleID?) {
        for question in split(topics, vehicle, isUrgent: false) { others.append(question) }
    }

    /// Asks about a vehicle whose fix waits, unless that is being done.
    ///
    /// - Parameters:
    ///   - topics: that its fixes wait for.
    ///   - later: its other topics.
    mutating func askSoon(_ topics: [String], later: [String] = [], of vehicle: VehicleID) {
        guard awaited.insert(vehicle).inserted else { return }
        if !later.isEmpty { ask(later, of: nil) }
        for question in split(topics, vehicle, isUrgent: true) { urgent.append(question) }
    }

    private func split(_ topics: [String], _ vehicle: VehicleID?, isUrgent: Bool) -> [Question] {
        let starts = stride(from: 0, to: max(topics.count, 1), by: batchMax)
        return starts.map { start in
            let end = min(start + batchMax, topics.count)
            return Question(
                vehicle: end == topics.count ? vehicle : nil, topics: Array(topics[start..<end]), isUrgent: isUrgent)
        }
    }

    /// The next batch, which is under way from now on; empty where there is none.
    mutating func next() -> [String] {
        while let question = urgent.first ?? others.first {
            let isNeedless = !question.isUrgent && question.vehicle.map(answered.contains) ?? false
            let count = underWay.reduce(question.topics.count) { $0 + $1.topics.count }
            guard isNeedless || count <= batchMax else { break }
            if question.isUrgent { urgent.removeFirst() } else { others.removeFirst() }
            if !isNeedless { underWay.append(question) }
        }
        return underWay.flatMap(\.topics)
    }

    /// All that the broker retains on the topics of the batch has come.
    ///
    /// - Returns: the vehicles about which all is known now.
    mutating func finish() -> [VehicleID] {
        let vehicles = underWay.compactMap(\.vehicle)
        underWay = []
        awaited.subtract(vehicles)
        note(answeredFor: vehicles)
        return vehicles
    }
}
