import Hashing

/// What goes wrong with a gateway of a cluster, or with what it depends on.
enum ClusterFault {
    /// It ends without a word, and starts again after so many milliseconds.
    case kill(Fault.Place, down: Int)
    /// It stands still for so many milliseconds. After `ClusterSimulation.heartbeat` its queues are another one's, and it does not
    /// know: there are two owners at once.
    case freeze(Fault.Place, Int)
    /// It is told to end, and started again.
    case restart
    /// Its connections to RabbitMQ end.
    case cutQueues(Fault.Place)
    /// Its MQTT connection ends.
    case cutMQTT(Fault.Place)
    /// Its sessions with PostgreSQL end.
    case cutStore(Fault.Place)

    var place: Fault.Place? {
        switch self {
        case .kill(let place, _), .freeze(let place, _): place
        case .cutQueues(let place), .cutMQTT(let place), .cutStore(let place): place
        case .restart: nil
        }
    }
}

/// What goes wrong with which gateway, and from when on.
struct ClusterFaultPlan {
    struct Entry {
        /// In milliseconds; it comes about at the fault's place after that.
        var time: Int
        var member: Int
        var fault: ClusterFault
    }

    /// Ascending by time.
    private(set) var entries: [Entry] = []

    static let none = ClusterFaultPlan()

    private init() {}

    /// - Parameters:
    ///   - length: of the run, in milliseconds.
    ///   - members: how many gateways there are.
    init(seed: UInt64, length: Int, members: Int) {
        var random = SplitMix64(seed: seed, stream: 2)
        let count = 1 + random.index(below: 8)
        entries = (0..<count).map { _ in
            Entry(
                time: 10_000 + random.index(below: length - 30_000), member: random.index(below: members),
                fault: Self.fault(&random))
        }
        entries.sort { $0.time < $1.time }
    }

    func without(_ index: Int) -> ClusterFaultPlan {
        var plan = self
        plan.entries.remove(at: index)
        return plan
    }

    private static func fault(_ random: inout SplitMix64) -> ClusterFault {
        switch random.index(below: 12) {
        case 0...3: .kill(place(&random), down: 500 + random.index(below: 12_000))
        case 4...7: .freeze(place(&random), 500 + random.index(below: 25_000))
        case 8: .restart
        case 9: .cutQueues(place(&random))
        case 10: .cutMQTT(place(&random))
        default: .cutStore(place(&random))
        }
    }

    /// All but those within PostgreSQL.
    private static let steps: [Fault.Step] = [.receive, .decide, .publish, .acknowledge, .transmit, .flushed]

    private static func place(_ random: inout SplitMix64) -> Fault.Place {
        Fault.Place(step: steps[random.index(below: steps.count)], count: 1 + random.index(below: 6))
    }
}
