import Broker
import Messages

/// The queues of vehicles that are this gateway's, by their shards: the messages that have come out of each, and how far it is read.
struct OwnedQueues {
    private struct Queue {
        var messages: [ReceivedMessage] = []
        /// Of the newest that has come, that the shard has, and that is acknowledged.
        var (arrived, taken, acknowledged): (UInt64, UInt64, UInt64) = (0, 0, 0)
        /// When the newest of the gateway's own was sent that has come, that the shard has, and behind all that is committed.
        var (probeArrived, probeTaken, probeDone): (Timestamp?, Timestamp?, Timestamp?) = (nil, nil, nil)
    }

    private var queues: [Int: Queue] = [:]

    var shards: Set<Int> { Set(queues.keys) }
    /// Whether nothing has come that is not acknowledged.
    var areAcknowledged: Bool { queues.values.allSatisfy { $0.acknowledged == $0.arrived } }

    func contains(_ shard: Int) -> Bool { queues[shard] != nil }

    /// Whether messages have come that the shard has not.
    func hasMessages(of shard: Int) -> Bool { queues[shard].map { $0.arrived > $0.taken } ?? false }

    /// A message out of the shard's queue has come: the queue is this gateway's.
    ///
    /// - Parameter sent: when, where it is one of this gateway's own.
    mutating func add(_ message: ClusterMessage, of shard: Int, sent: Timestamp?) {
        queues[shard, default: Queue()].arrived = message.tag
        if let sent { queues[shard]?.probeArrived = sent }
        if message.probe == nil { queues[shard]?.messages.append(message.message) }
    }

    /// The messages of a shard that have come since the last call, in their order.
    mutating func takeMessages(of shard: Int) -> [ReceivedMessage] {
        guard var queue = queues.removeValue(forKey: shard) else { return [] }
        defer { queues[shard] = queue }
        (queue.taken, queue.probeTaken) = (queue.arrived, queue.probeArrived)
        defer { queue.messages = [] }
        return queue.messages
    }

    /// All messages of the shard that were taken are committed.
    ///
    /// - Returns: up to which tag they are to be acknowledged; nil: none beyond those before.
    mutating func noteCommit(of shard: Int) -> UInt64? {
        guard var queue = queues[shard], queue.taken > queue.acknowledged else { return nil }
        (queue.acknowledged, queue.probeDone) = (queue.taken, queue.probeTaken)
        queues[shard] = queue
        return queue.taken
    }

    /// Seconds since the newest of the gateway's own was sent behind which all is committed; nil: there is none.
    func lags(at now: Timestamp) -> [Int: Double?] { queues.mapValues { $0.probeDone.map { now.since($0) } } }

    /// Whether all that was in the shard's queue a moment ago is committed.
    func isUpToDate(_ shard: Int, at now: Timestamp) -> Bool {
        queues[shard]?.probeDone.map { now.since($0).magnitude <= RoundTrip.ageMax } ?? false
    }

    /// - Returns: whether the queue was this gateway's.
    @discardableResult
    mutating func remove(_ shard: Int) -> Bool { queues.removeValue(forKey: shard) != nil }
}
