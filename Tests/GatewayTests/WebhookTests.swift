import FleetTestSupport
import Foundation
import GatewayTestSupport
import Messages
import NIOCore
import NIOPosix
import Store
import Testing
import ThreadTestSupport

@testable import Gateway
@testable import Webhooks

@Suite("Webhooks")
struct WebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private static func hook(_ url: String, _ stages: Set<AlertMessage.Stage> = []) throws -> Webhook {
        Webhook(url: url, stages: stages, secret: try #require(WebhookSecret(secret)))
    }

    private static func ids(_ run: PipelineRun, _ url: String) throws -> [String] {
        try run.store.webhookDeliveries(to: url, limit: 1_000).map { String($0.message.suffix(2)) }
    }

    @Test("The signature is that of the specification's example")
    func signature() throws {
        let signature = WebhookSignature(
            message: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330,
            payload: Array(#"{"test": 2432232314}"#.utf8),
            secret: try #require(WebhookSecret(Self.secret)))
        #expect(
            signature.headers == [
                "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
                "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test(
        "A secret that begins with whsec_ goes on with 24 to 64 bytes in Base64; no other is longer than 256 bytes",
        arguments: ["", "whsec_", "whsec_c2hvcnQ=", "whsec_not Base64!", String(repeating: "ß", count: 129)])
    func badSecret(text: String) { #expect(WebhookSecret(text) == nil) }

    @Test("Another text is the key itself")
    func plainSecret() throws {
        #expect(try #require(WebhookSecret("geheim, ß")).key == Array("geheim, ß".utf8))
    }

    @Test func aSecretIsNeverShown() throws {
        let hook = try Self.hook("http://a")
        var dumped = ""
        dump(hook, to: &dumped)
        #expect(!"\(hook)\(dumped)".contains("MfKQ") && "\(hook.secret)" == "***")
    }

    @Test(
        "Success takes a message off the queue; a webhook that fails is waited for, and one that refuses a message gets others",
        arguments: [
            (200, .delivered), (204, .delivered), (302, .failed), (400, .refused), (401, .refused), (408, .failed),
        ]
            + [(410, .refused), (429, .failed), (500, .failed), (503, .failed)] as [(UInt, WebhookOutcome)])
    func outcome(status: UInt, outcome: WebhookOutcome) { #expect(WebhookPoster.outcome(status) == outcome) }

    @Test(
        "Why a webhook cannot be reached is said without its host and its addresses",
        arguments: [("secret-host.invalid", "the host's name is not known"), ("127.0.0.1", "refused")])
    func unreachable(host: String, reason: String) async throws {
        // Nobody listens on the port of tcpmux.
        let thrown = await #expect(throws: NIOConnectionError.self) {
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: host, port: 1).get()
        }
        let error = try #require(thrown)
        let text = WebhookPoster.reason(error, url: "https://\(host):1/hook")
        #expect(text.contains(reason) && !text.contains(host), "\(text)")
    }

    @Test("Other reasons name no host either")
    func otherReasons() {
        struct Mismatch: Error { var expected = "secret-host.example" }
        let text = WebhookPoster.reason(Mismatch(), url: "https://secret-host.example/hook")
        #expect(text.contains("Mismatch") && !text.contains("secret-host"), "\(text)")
    }

    @Test("The pause after a failure doubles, up to five minutes")
    func pauses() {
        for (failures, longest) in [(1, 1.0), (2, 2), (5, 16), (9, 256), (10, 300), (1_000, 300)] {
            let pause = WebhookPoster.pause(after: failures)
            #expect(pause >= .seconds(longest * 0.75) && pause <= .seconds(longest))
        }
    }

    @Test("Messages are stored with what they tell of, outlive a crash, and leave the store once they are delivered")
    func keeping() async throws {
        let hooks = [try Self.hook("http://all"), try Self.hook("http://passed", [.passed])]
        let found = try await onThread { () -> [[String]] in
            let run = try PipelineRun(webhooks: hooks)
            for step in Script.steps { try run.take(step.messages, at: step.time) }
            let end = Script.steps.last?.time ?? .at(0)
            var found = [try Self.ids(run, "http://all"), try Self.ids(run, "http://passed")]
            try run.kill()
            found.append(try Self.ids(run, "http://all"))
            let queue = run.shared.webhooks
            while let delivery = queue.next(for: "http://all") { queue.settle(delivery, .delivered) }
            try run.go([], at: end, passes: 1)
            found += [try Self.ids(run, "http://all"), try Self.ids(run, "http://passed")]
            return found
        }
        let all = try #require(found.first)
        #expect(all.count >= 2 && all == all.sorted() && Set(all).count == all.count)
        let last = try #require(all.last)
        #expect(found == [all, [last], all, [], [last]])
    }

    @Test("Messages of a vehicle that is forgotten are not posted, and those that were tried for a day are dropped")
    func ending() async throws {
        let hooks = [try Self.hook("http://all")]
        let (forgotten, expired, families) = try await onThread {
            func run() throws -> PipelineRun {
                let run = try PipelineRun(webhooks: hooks)
                for step in Script.steps { try run.take(step.messages, at: step.time) }
                return run
            }
            let end = Script.steps.last?.time ?? .at(0)
            func left(_ run: PipelineRun) throws -> Int {
                (run.shared.webhooks.next(for: "http://all") == nil ? 0 : 1)
                    + (try run.store.webhookCount(of: "http://all"))
            }
            let first = try run()
            try first.take([Script.Message(topic: "headroom/forget/T42", payload: "{}")], at: end.adding(1))
            let second = try run()
            try second.go([], at: end.adding(2 * 86_400), passes: 2)
            return (try left(first), try left(second), second.shared.webhooks.families)
        }
        #expect(forgotten == 0 && expired == 0)
        let dropped = families.first { $0.name == "headroom_hook_dropped_total" }?.samples.first?.value ?? 0
        #expect(dropped >= 2)
    }

    private static func deliveries(_ count: Int64, to url: String = "a") throws -> [WebhookDelivery] {
        let vehicle = try #require(VehicleID("T42"))
        return (1...count).map { number in
            WebhookDelivery(
                id: number, url: url, message: "m-\(number)", vehicle: vehicle, payload: [], createdAt: .at(0))
        }
    }

    @Test("A refused message pauses, and goes behind the others after that")
    func order() throws {
        let queue = WebhookQueue()
        queue.begin(["a"]) {}
        let deliveries = try Self.deliveries(4)
        queue.add(deliveries, for: "a")
        #expect(queue.settle(deliveries[0], .failed) == 0)
        #expect(queue.next(for: "a")?.id == 1)
        #expect(queue.settle(deliveries[0], .refused) == 1)
        #expect(queue.next(for: "a")?.id == 2)
        queue.settle(deliveries[1], .delivered)
        queue.resume(deliveries[0])
        queue.settle(deliveries[2], .delivered)
        #expect(queue.next(for: "a")?.id == 4)
        queue.settle(deliveries[3], .delivered)
        #expect(queue.next(for: "a")?.id == 1)
        #expect(queue.settle(deliveries[0], .refused) == 2)
        #expect(queue.next(for: "a") == nil)
        #expect(queue.takeSettled(droppingBefore: .at(0), of: .whole) == [2, 3, 4])
        #expect(queue.takeSettled(droppingBefore: .at(1), of: .whole) == [1])
        queue.resume(deliveries[0])
        #expect(queue.next(for: "a") == nil)
    }

    @Test("Refused messages take no place of others, until there are a thousand of them", arguments: [1, 65])
    func room(shards: Int) throws {
        let queue = WebhookQueue()
        queue.begin(["a"]) {}
        let place = ShardPlace(0, of: shards)
        let most = max(1, WebhookLimits.waitingMax / shards)
        queue.setStored(2_000, for: "a", of: place)
        var deliveries = try Self.deliveries(2_000)[...]
        for index in deliveries.indices { deliveries[index].id *= Int64(shards) }
        while queue.room(for: "a", of: place) > 0 {
            #expect(queue.room(for: "a", of: place) == most)
            queue.add(Array(deliveries.prefix(most)), for: "a")
            #expect(queue.room(for: "a", of: place) == 0)
            for delivery in deliveries.prefix(most) { queue.settle(delivery, .refused) }
            deliveries = deliveries.dropFirst(most)
        }
        #expect((WebhookLimits.refusedMax..<WebhookLimits.refusedMax + most).contains(2_000 - deliveries.count))
    }

    @Test("What is stored behind refused messages is posted, though nothing else happens")
    func behindRefused() async throws {
        let url = "http://all"
        let hooks = [try Self.hook(url)]
        let next = try await onThread { () -> Int64? in
            let run = try PipelineRun(webhooks: hooks)
            let count = WebhookLimits.waitingMax + 1
            _ = try run.store.commit(StoreBatch(time: .at(0), webhooks: try Self.deliveries(Int64(count), to: url)))
            try run.kill()
            let queue = run.shared.webhooks
            while let delivery = queue.next(for: url) { queue.settle(delivery, .refused) }
            try run.go([], at: .at(1), passes: 1)
            return queue.next(for: url)?.id
        }
        #expect(next == Int64(WebhookLimits.waitingMax) + 1)
    }
}
