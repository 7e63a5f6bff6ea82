import FleetTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Testing

@testable import Broker
@testable import Gateway

/// What a broker has lost is given back, unless somebody else has published there meanwhile.
struct RepublicationTests {
    private static let topic = "headroom/clearances/survey-12"

    /// A broker with one topic, what is kept of it here, and the way between.
    private final class Scene {
        var republication = Republication()
        var kept: [String: String]
        var sent: [(topic: String, payload: String)] = []
        var hasRoom = true

        init(lost kept: [String: String]) {
            self.kept = kept
            republication.begin(kept.keys.sorted())
        }

        /// One pass of the gateway.
        func send(at seconds: Seconds = 0) throws -> Int {
            let (kept, hasRoom) = (kept, hasRoom)
            var sent: [(String, String)] = []
            let count = try republication.send(at: .at(seconds), kept: { kept[$0].map { Array($0.utf8) } }) {
                (topic, payload) throws(BrokerError) in
                guard hasRoom else { throw BrokerError(.windowFull, "full") }
                sent.append((topic, String(decoding: payload, as: UTF8.self)))
            }
            self.sent += sent
            return count
        }

        func giveUp() -> [String] { republication.discarded() }

        /// A message comes in; what is news is kept.
        @discardableResult
        func hear(_ payload: String, on topic: String = topic) -> Bool {
            let message = ReceivedMessage(
                topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: false)
            guard !republication.isOwn(message) else { return false }
            kept[topic] = payload.isEmpty ? nil : payload
            return true
        }
    }

    @Test("What is lost is published once, as it came; that it comes back is no news, and it is missing no longer")
    func plain() throws {
        let scene = Scene(lost: [Self.topic: "old"])
        #expect(scene.republication.missing == [BytewiseText(Self.topic)])
        #expect(try scene.send() == 1)
        #expect(try scene.send() == 0)
        #expect(scene.sent.map(\.payload) == ["old"])
        #expect(scene.republication.missing == [BytewiseText(Self.topic)])
        #expect(!scene.hear("old"))
        #expect(scene.republication.missing.isEmpty)
        #expect(scene.hear("old"), "said again by somebody else it is a message like any other")
    }

    @Test("What the connection gives up is published again, one by one; what three connections end for stays missing")
    func givenUp() throws {
        let scene = Scene(lost: ["a": "1", "b": "too long", "c": "3"])
        #expect(try scene.send() == 3)
        #expect(scene.giveUp() == [])
        for topic in ["a", "b", "c"] {
            #expect(try scene.send() == 1)
            guard topic != "b" else {
                #expect(scene.giveUp() == [])
                continue
            }
            scene.hear(try #require(scene.kept[topic]), on: topic)
        }
        #expect(try scene.send() == 1)
        #expect(scene.giveUp() == ["b"])
        #expect(try scene.send() == 0)
        #expect(scene.republication.missing == ["b"])
        #expect(scene.sent.map(\.topic) == ["a", "b", "c", "a", "b", "c", "b"])
    }

    @Test("A newer message, or an empty one, that comes before it is sent stands", arguments: ["new", ""])
    func newerBefore(newer: String) throws {
        let scene = Scene(lost: [Self.topic: "old"])
        #expect(scene.hear(newer))
        #expect(try scene.send() == 0)
        #expect(scene.republication.missing.isEmpty)
    }

    @Test(
        "A newer message, or an empty one, that reaches the broker first and is replaced there is published once more",
        arguments: ["new", ""])
    func newerOvertaken(newer: String) throws {
        let scene = Scene(lost: [Self.topic: "old"])
        #expect(try scene.send() == 1)
        #expect(scene.hear(newer))
        #expect(!scene.hear("old"), "the older one is not put in force again")
        #expect(try scene.send() == 1)
        #expect(scene.sent.map(\.payload) == ["old", newer])
        #expect(!scene.hear(newer))
        #expect(try scene.send() == 0)
        #expect(scene.republication.missing.isEmpty)
    }

    @Test("A newer message that reaches the broker last stands by itself")
    func newerLast() throws {
        let scene = Scene(lost: [Self.topic: "old"])
        #expect(try scene.send() == 1)
        #expect(!scene.hear("old"))
        #expect(scene.hear("new"))
        #expect(try scene.send() == 0)
    }

    @Test(
        "What is forgotten before it is sent is not sent, and what is on its way is emptied", arguments: [true, false])
    func forgotten(isSent: Bool) throws {
        let scene = Scene(lost: ["fleet/T42/profile": "old"])
        if isSent { #expect(try scene.send() == 1) }
        scene.kept = [:]
        scene.republication.leaveOut(["fleet/T42/profile"])
        #expect(scene.republication.missing.isEmpty)
        if isSent { #expect(!scene.hear("old", on: "fleet/T42/profile")) }
        #expect(try scene.send() == (isSent ? 1 : 0))
        #expect(scene.sent.map(\.payload) == (isSent ? ["old", ""] : []))
    }

    @Test("A topic on which nothing is to stand is emptied once; what came there just before is published once more")
    func setRight() throws {
        let scene = Scene(lost: [:])
        for _ in 1...2 { scene.republication.setRight("a") }
        #expect(try scene.send() == 1)
        scene.republication.setRight("a")
        #expect(try scene.send() == 0, "one is under way")
        #expect(scene.hear("new", on: "a"))
        #expect(!scene.hear("", on: "a"), "the gateway's own")
        #expect(try scene.send() == 1)
        #expect(!scene.hear("new", on: "a"))
        #expect(try scene.send() == 0)
        #expect(scene.sent.map(\.payload) == ["", "new"])
        #expect(scene.hear("", on: "a"), "somebody else's")
    }

    @Test(
        "What has not come back though all has that was sent later will not; what came there meanwhile is published again",
        arguments: ["new", nil] as [String?])
    func expired(newer: String?) throws {
        let scene = Scene(lost: [Self.topic: "old"])
        #expect(try scene.send(at: 0) == 1)
        if let newer { #expect(scene.hear(newer)) }
        scene.republication.expire(sentBefore: .at(0))
        #expect(scene.republication.underWayCount == 1, "nothing is known of what was sent then")
        scene.republication.expire(sentBefore: .at(1))
        #expect(scene.republication.underWayCount == 0)
        #expect(scene.republication.missing.isEmpty == (newer != nil))
        #expect(try scene.send(at: 1) == (newer == nil ? 0 : 1))
        #expect(scene.sent.map(\.payload) == ["old"] + [newer].compactMap(\.self))
    }

    @Test("Where one at a time is sent, one that does not come back does not hold up the others")
    func expiredAlone() throws {
        let scene = Scene(lost: ["a": "1", "b": "2"])
        #expect(try scene.send(at: 0) == 2)
        #expect(scene.giveUp() == [])
        #expect(try scene.send(at: 1) == 1)
        #expect(try scene.send(at: 2) == 0)
        scene.republication.expire(sentBefore: .at(2))
        #expect(try scene.send(at: 3) == 1)
        #expect(scene.sent.map(\.topic) == ["a", "b", "a", "b"])
    }

    @Test("What finds no room stays for a later pass, and one pass does not send all of a large fleet")
    func room() throws {
        let topics = (0..<250).map { "fleet/\($0)/profile" }
        let scene = Scene(lost: Dictionary(uniqueKeysWithValues: topics.map { ($0, "p") }))
        scene.hasRoom = false
        #expect(try scene.send() == 0)
        scene.hasRoom = true
        #expect(try scene.send() == 200)
        #expect(try scene.send() == 50)
        #expect(try scene.send() == 0)
        #expect(scene.sent.map(\.topic) == topics.sorted())
        #expect(scene.republication.missing.count == 250)
    }
}
