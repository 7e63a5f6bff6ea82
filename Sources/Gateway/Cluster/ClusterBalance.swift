import Messages

/// How the queues of the vehicles are divided among the gateways of a cluster.
///
/// A gateway that starts beside one that owns all would wait until that one ends: RabbitMQ takes no queue from a consumer. So each
/// gives up what is beyond its share, and RabbitMQ makes the gateway the owner that has waited longest. How many gateways there are
/// is known from their messages in the queues: of a quorum queue with a single active consumer RabbitMQ 3.10 counts no other one.
struct ClusterBalance {
    /// Seconds after which a gateway that is not heard of any more is gone: three of its messages.
    private static let silenceMax: Double = 6
    /// Seconds in which what was given up has a new owner.
    private static let pause: Double = 4
    /// Seconds after a takeover in which nothing is given up: the owner before may have ended, and is counted until then. A
    /// message of its own may have come with the queue, a moment after it.
    private static let takeoverPause = silenceMax + 1
    /// More than a cluster has; whoever may write into the queues must not fill the memory.
    private static let gatewaysMax = 1_000

    /// This one's name in those messages.
    private let gateway: String
    private var heardAt: [String: Timestamp] = [:]
    private var givenAt: Timestamp?
    private var owned: Set<Int> = []
    private var takenAt: Timestamp?

    init(of gateway: String) { self.gateway = gateway }

    /// A message of a gateway has come, this one's or another's.
    mutating func hear(_ gateway: String, at now: Timestamp) {
        guard heardAt.count < Self.gatewaysMax || heardAt[gateway] != nil else { return }
        heardAt[gateway] = now
    }

    /// What is beyond this gateway's share of the queues, to be given up now.
    ///
    /// - Parameter count: of all queues.
    mutating func takeExcess(of owned: Set<Int>, of count: Int, at now: Timestamp) -> [Int] {
        if !owned.isSubset(of: self.owned) { takenAt = now }
        self.owned = owned
        heardAt = heardAt.filter { now.since($0.value).magnitude <= Self.silenceMax }
        if let givenAt, now.since(givenAt).magnitude < Self.pause { return [] }
        if let takenAt, now.since(takenAt).magnitude < Self.takeoverPause { return [] }
        let others = heardAt.keys.filter { $0 != gateway }
        let excess = Self.excess(
            owned, of: count, gateways: others.count + 1, rank: others.count { $0 < gateway })
        if !excess.isEmpty { givenAt = now }
        return excess
    }

    /// Those beyond a share. The shares of all gateways are as many queues as there are, so that none is left without: what does
    /// not divide is the first ones'. All give up their last queues, so that none comes back to a gateway that gave it up.
    ///
    /// - Parameters:
    ///   - gateways: how many there are.
    ///   - rank: how many of them come before this one.
    static func excess(_ owned: some Collection<Int>, of shards: Int, gateways: Int, rank: Int) -> [Int] {
        let share = shards / gateways + (rank < shards % gateways ? 1 : 0)
        // Of fewer queues than gateways it makes no difference who has them.
        return Array(owned.sorted().dropFirst(max(1, share)))
    }
}
