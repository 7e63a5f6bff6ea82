import Broker
import Foundation
import Messages
import RabbitMQ
import RabbitMQTestSupport
import Testing
import ThreadTestSupport

@testable import Gateway

@Suite(.serialized)
struct ClusterOwnershipTests {
    /// Publishes `count` fixes of each of 40 vehicles, numbered from `first` on.
    private func report(_ scene: ClusterScene, from first: Int, _ count: Int) throws {
        let client = try scene.mqtt("-\(first)")
        for fix in first..<(first + count) {
            for number in 0..<40 { try client.publish(scene.topic("T\(number)"), "\(fix)") }
            client.poll(.zero)
        }
        try client.finish()
    }

    private func numbers(_ messages: [ClusterMessage]) -> [String: [Int]] {
        Dictionary(grouping: messages) { $0.message.topic }
            .mapValues { $0.map { Int(String(decoding: $0.message.payload, as: UTF8.self))! } }
    }

    @Test(
        "When the owner's connection ends, the next one has all queues and what was not acknowledged, in order",
        .timeLimit(.minutes(3)))
    func takeover() async throws {
        try await onThread {
            let scene = try ClusterScene()
            var first: ClusterInbox? = try scene.inbox("north", prefetch: 1_000)
            let second = try scene.inbox("south", prefetch: 1_000)
            try report(scene, from: 0, 10)
            let handled = try first!.take(400)
            // Whether each of the queues has one of so few vehicles hangs on their names, which no two runs share.
            let queues = Set(handled.map(\.source)).count
            #expect(queues > scene.queues / 2)
            try report(scene, from: 10, 10)
            #expect(try first!.take(400, acknowledges: false).count == 400)
            #expect(try second.poll(timeout: .milliseconds(200)).isEmpty)

            // No word to the server: as when the process is killed.
            first = nil
            let start = ContinuousClock.now
            try report(scene, from: 20, 1)
            let rest = try second.take(440)
            #expect(ContinuousClock.now - start < .seconds(10))
            #expect(Set(rest.map(\.source)).count == queues)
            let (before, after) = (numbers(handled), numbers(rest))
            #expect(after.count == 40)
            for (topic, numbers) in after {
                #expect(numbers == Array(10..<21), "\(topic)"); #expect(before[topic] == Array(0..<10))
            }
            #expect(rest.count(where: \.isRedelivered) == 400)
        }
    }

    @Test(
        "An owner that neither reads nor sends heartbeats is given up, and learns of it when it reads again",
        .timeLimit(.minutes(3)))
    func frozenOwner() async throws {
        try await onThread {
            let scene = try ClusterScene()
            // Given up after twice that: on a busy machine a shorter time is over before it has taken what it is to lose.
            let frozen = try scene.inbox("north", heartbeatSeconds: 5)
            try report(scene, from: 0, 1)
            #expect(try frozen.take(40, acknowledges: false).count == 40)
            let second = try scene.inbox("south")
            #expect(try second.take(40, silence: .seconds(60)).count == 40)
            #expect(throws: RabbitMQError.self) {
                for _ in 0..<20 { _ = try frozen.poll(timeout: .milliseconds(100)) }
            }
        }
    }

    @Test("A queue that is given up goes to the gateway that waits, and comes back when that one is gone")
    func release() async throws {
        try await onThread {
            let scene = try ClusterScene(queues: 2)
            let first = try scene.inbox("north")
            var second: ClusterInbox? = try scene.inbox("south")
            try report(scene, from: 0, 1)
            #expect(try first.take(40).count == 40)
            try first.release(.shard(1))
            try report(scene, from: 1, 1)
            let own = try first.take(40, silence: .seconds(2))
            let others = try second!.take(40 - own.count)
            #expect(!own.isEmpty && own.allSatisfy { $0.source == .shard(0) })
            #expect(!others.isEmpty && others.allSatisfy { $0.source == .shard(1) })
            second = nil
            try report(scene, from: 2, 1)
            // What it had acknowledged a moment ago may come again: its connection is gone before all of that is read.
            let all = try first.take(40)
            #expect(all.count >= 40 && Set(all.map(\.source)) == [.shard(0), .shard(1)])
        }
    }

    @Test(
        "What was taken over is kept for as long as the owner before may be counted, and given up where it is still there",
        arguments: [(false, []), (true, [2, 3])])
    func afterTakeover(isOtherThere: Bool, expected: [Int]) {
        var balance = ClusterBalance(of: "own")
        func takeExcess(_ owned: Set<Int>, at seconds: Double, hearing others: [String]) -> [Int] {
            let now = Timestamp(milliseconds: 0).adding(seconds)
            for gateway in ["own"] + others { balance.hear(gateway, at: now) }
            return balance.takeExcess(of: owned, of: 4, at: now)
        }
        for second in 0..<20 { #expect(takeExcess([0, 1], at: Double(second), hearing: ["other"]) == []) }
        // The message of the one before that was not acknowledged comes once more.
        #expect(takeExcess([0, 1, 2, 3], at: 20, hearing: ["other"]) == [])
        for step in 1..<14 {
            let others = isOtherThere ? ["other"] : []
            #expect(takeExcess([0, 1, 2, 3], at: 20 + Double(step) / 2, hearing: others) == [])
        }
        #expect(takeExcess([0, 1, 2, 3], at: 27, hearing: isOtherThere ? ["other"] : []) == expected)
    }

    @Test(
        "A gateway gives up what is more than its share",
        arguments: [
            ([0, 1, 2, 3, 4, 5, 6, 7], 8, 2, 1, [4, 5, 6, 7]), ([4, 5, 6, 7], 8, 2, 0, []), ([0, 1, 2], 8, 3, 1, []),
            ([0, 1, 2, 3], 8, 3, 1, [3]), ([0, 1, 2], 8, 3, 2, [2]), ([0, 1], 2, 1, 0, []), ([], 8, 2, 0, []),
            ([0], 1, 3, 2, []), ([0, 1], 2, 3, 2, [1]),
        ])
    func share(owned: [Int], shards: Int, gateways: Int, rank: Int, expected: [Int]) {
        #expect(ClusterBalance.excess(owned, of: shards, gateways: gateways, rank: rank) == expected)
    }

    @Test("No gateway is left without a queue where there is one for each", arguments: [(8, 5), (4, 3), (8, 8)])
    func leastShare(shards: Int, gateways: Int) {
        let kept = (0..<gateways).map { rank in
            shards - ClusterBalance.excess(Array(0..<shards), of: shards, gateways: gateways, rank: rank).count
        }
        #expect(kept.allSatisfy { $0 > 0 } && kept.reduce(0, +) == shards, "\(kept)")
    }

    @Test("Queues that are given up to the next gateway each time end where every gateway has its share")
    func rest() {
        let (shards, gateways) = (8, 5)
        var owners = Array(repeating: 0, count: shards)
        for _ in 0..<gateways {
            for rank in 0..<gateways {
                let owned = owners.indices.filter { owners[$0] == rank }
                let excess = ClusterBalance.excess(owned, of: shards, gateways: gateways, rank: rank)
                for queue in excess { owners[queue] = (rank + 1) % gateways }
            }
        }
        #expect((0..<gateways).map { rank in owners.count { $0 == rank } } == [2, 2, 2, 1, 1])
    }
}
