import FleetTestSupport
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

/// Inputs that a vehicle and dispatch have retained on several levels of `acme/{region}/{v}`: what was sent last holds, also after
/// a new session.
struct NamedLevelsTests {
    private struct Alert: Decodable {
        var stage: String?
    }

    /// A new session brings what is retained in the order of the topics: what was sent last comes last, or first.
    enum Order: CaseIterable {
        case rising, falling

        /// The level on which something stood before.
        var older: String { self == .rising ? "a" : "b" }
        /// That on which it was sent last.
        var newer: String { self == .rising ? "b" : "a" }
    }

    private static let route = #"{"waypoints": [\#(Script.pair(7_000, 0))]}"#

    // MARK: Profiles and routes

    @Test(
        "The height that was sent last is in force after a new session, and an open alert stays open",
        arguments: Order.allCases, [true, false])
    func height(order: Order, isRestarted: Bool) throws {
        let run = try Self.run()
        try run.take([Script.bridge(4)], at: .at(-30))
        try run.take([Self.profile(order.older, 3.5)], at: .at(-20))
        try run.take([Self.fix(order.older, east: 4_450, at: 0)], at: .at(0.4))
        try run.take([Self.profile(order.newer, 4.5)], at: .at(5))
        try run.take([Self.fix(order.newer, east: 4_600, at: 10)], at: .at(10.4))
        #expect(Self.regions("profile", run) == [order.newer])
        #expect(try Self.keptRegions("profile", run) == [order.newer])
        try Self.renewSession(run, restarting: isRestarted, at: 11)
        let state = try Self.state(run)
        #expect(state.height.value == 4.5 && !state.alerts.isEmpty)
        let stages = try run.outputs(Alert.self, "/T42/alert").compactMap(\.stage)
        #expect(!stages.isEmpty && !stages.contains("cleared"))
    }

    @Test(
        "What dispatch takes back where the vehicle is now is taken back where it was sent before",
        arguments: Order.allCases)
    func takenBack(order: Order) throws {
        let run = try Self.run()
        try run.take([Self.fix(order.older, east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.profile(order.older, 3.5), Self.message(order.older, "route", Self.route)], at: .at(1))
        try run.take([Self.fix(order.newer, east: 150, at: 10)], at: .at(10.4))
        try run.take([Self.message(order.newer, "profile", ""), Self.message(order.newer, "route", "")], at: .at(11))
        #expect(try Self.state(run).height.status == "assumed")
        for topicSuffix in ["profile", "route"] {
            #expect(Self.regions(topicSuffix, run).isEmpty)
            #expect(try Self.keptRegions(topicSuffix, run).isEmpty)
        }
        try Self.renewSession(run, restarting: true, at: 12)
        #expect(try Self.state(run).height.status == "assumed")
        #expect(try Self.keptRegions("route", run).isEmpty)
    }

    @Test("To clean up a level on which nothing is in force takes nothing back")
    func cleaned() throws {
        let run = try Self.run()
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.profile("b", 4.5), Self.fix("b", east: 150, at: 10)], at: .at(10.4))
        for region in ["a", "c"] { try run.take([Self.message(region, "profile", "")], at: .at(20)) }
        let state = try Self.state(run)
        #expect(state.height.value == 4.5 && state.height.status == "ok")
        #expect(Self.regions("profile", run) == ["b"])
    }

    @Test(
        "What the gateway empties may come twice, or be emptied by another one: for a minute that takes nothing back",
        arguments: [(30, true), (100, false)] as [(Seconds, Bool)])
    func repeated(seconds: Seconds, holds: Bool) throws {
        let run = try Self.run()
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.profile("b", 4.5)], at: .at(5))
        try run.take([], at: .at(seconds - 1))
        try run.take([Self.message("a", "profile", "")], at: .at(seconds))
        #expect(try Self.state(run).height.status == (holds ? "ok" : "assumed"))
        #expect(Self.regions("profile", run) == (holds ? ["b"] : []))
    }

    @Test(
        "Where the broker lets no level be emptied, and does not say so, what is sent there later can be taken back",
        arguments: [true, false])
    func denied(isKilled: Bool) throws {
        let run = try Self.run()
        run.broker.denies = { $0.topic == "acme/a/T42/profile" }
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.profile("b", 4.5)], at: .at(5))
        // The gateway's empty message is under way still, as far as it knows.
        try run.take([Self.profile("a", 4.0)], at: .at(10))
        if isKilled { try run.kill() }
        for seconds: Seconds in [80, 150] { try run.take([], at: .at(seconds)) }
        #expect(try Self.state(run).height.value == 4)
        try run.take([Self.message("a", "profile", "")], at: .at(160))
        #expect(try Self.state(run).height.status == "assumed")
        #expect(try Self.keptRegions("profile", run).isEmpty)
    }

    @Test("A profile that cannot be read replaces nothing")
    func unreadable() throws {
        let run = try Self.run()
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.message("b", "profile", "{")], at: .at(5))
        #expect(try Self.keptRegions("profile", run) == ["a"])
        #expect(Self.regions("profile", run) == ["a", "b"])
    }

    @Test(
        "Of a backlog that is taken in several turns the last profile holds, and none takes away what came after it",
        arguments: [1, 2, Int.max])
    func backlog(atOnce: Int) throws {
        let run = try Self.run()
        try run.take([Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        let count = run.broker.published.count
        run.connection.messagesAtOnce = atOnce
        let profiles = [("a", 3.5), ("b", 4.5), ("a", 4.0), ("b", 4.2), ("a", 4.1)] as [(String, Metres)]
        try run.take(profiles.map { Self.profile($0.0, $0.1) }, at: .at(10))
        let states = try run.outputs(LevelState.self, "/T42/state", after: count)
        #expect(states.allSatisfy { $0.height.status == "ok" } && states.last?.height.value == 4.1)
        #expect(Self.regions("profile", run) == ["a"])
        #expect(try Self.keptRegions("profile", run) == ["a"])
        try Self.renewSession(run, restarting: true, at: 11)
        #expect(try Self.state(run).height.value == 4.1)
    }

    @Test("The same where the gateway is killed in between, after whatever pass", arguments: 1...8)
    func killedInBacklog(passes: Int) throws {
        let run = try Self.run()
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        let count = run.broker.published.count
        run.connection.messagesAtOnce = 1
        try run.go([Self.profile("b", 4.5), Self.profile("a", 4.0)], at: .at(10), passes: passes)
        try run.kill()
        for seconds: Seconds in [11, 21] { try run.take([], at: .at(seconds)) }
        let states = try run.outputs(LevelState.self, "/T42/state", after: count)
        #expect(states.allSatisfy { $0.height.status == "ok" } && states.last?.height.value == 4.0)
        #expect(Self.regions("profile", run) == ["a"])
        #expect(try Self.keptRegions("profile", run) == ["a"])
    }

    @Test("That what is replaced is emptied outlasts a kill at every point of the turn", arguments: CrashPoint.allCases)
    func killed(crash: CrashPoint) throws {
        let run = try Self.run()
        try run.take([Self.profile("a", 3.5), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        let count = run.broker.published.count
        try run.take([Self.profile("b", 4.5)], at: .at(5), crash: crash)
        try run.take([], at: .at(15))
        let states = try run.outputs(LevelState.self, "/T42/state", after: count)
        #expect(states.allSatisfy { $0.height.status == "ok" } && states.last?.height.value == 4.5)
        #expect(Self.regions("profile", run) == ["b"])
        #expect(try Self.keptRegions("profile", run) == ["b"])
        try Self.renewSession(run, restarting: true, at: 16)
        #expect(try Self.state(run).height.value == 4.5)
        #expect(run.shared.metrics.retainedMissing.value == 0)
    }

    @Test("Of several profiles of which nothing is known the tallest holds", arguments: [("a", "b"), ("b", "a")])
    func unknownOrder(lower: String, taller: String) throws {
        let run = try Self.run()
        for message in [Self.profile(lower, 3.5), Self.profile(taller, 4.5)] {
            run.broker.publish(message.topic, message.payload, retain: true)
        }
        try run.take([], at: .at(-10))
        try run.take([Self.fix("c", east: 0, at: 0)], at: .at(0.4))
        #expect(try Self.state(run).height.value == 4.5)
        #expect(Self.regions("profile", run) == ["a", "b"])
        try run.take([Self.profile("c", 3.8)], at: .at(5))
        #expect(try Self.state(run).height.value == 3.8)
        #expect(Self.regions("profile", run) == ["c"])
    }

    // MARK: Consent

    @Test("A refusal holds after a new session, whatever was said on another level before", arguments: Order.allCases)
    func refused(order: Order) throws {
        let run = try Self.run()
        try run.take([Self.consent(order.older, "always"), Self.fix(order.older, east: 0, at: 0)], at: .at(0.4))
        try run.take([Self.consent(order.newer, "denied")], at: .at(5))
        #expect(Self.regions("consent", run) == [order.newer] && Self.regions("state", run).isEmpty)
        try Self.renewSession(run, restarting: true, at: 6)
        try run.take([Self.fix(order.newer, east: 150, at: 40)], at: .at(40.4))
        #expect(Self.regions("consent", run) == [order.newer] && Self.regions("state", run).isEmpty)
        #expect(try Self.keptRegions("consent", run).isEmpty)
    }

    @Test(
        "Consent that is given again holds after a new session, whatever was said on another level before",
        arguments: Order.allCases, [true, false])
    func consented(order: Order, isKilled: Bool) throws {
        let run = try Self.run()
        try run.take([Self.consent(order.older, "denied")], at: .at(-20))
        if isKilled {
            try run.kill()
            try run.take([], at: .at(-10))
        }
        try run.take([Self.consent(order.newer, "always"), Self.fix(order.newer, east: 0, at: 0)], at: .at(0.4))
        #expect(Self.regions("consent", run) == [order.newer])
        #expect(try Self.keptRegions("consent", run) == [order.newer])
        try Self.renewSession(run, restarting: true, at: 6)
        #expect(Self.regions("state", run) == [order.newer])
        #expect(try Self.state(run).consent == "always")
    }

    @Test(
        "Of a refusal and an agreement of which nothing is known the refusal holds",
        arguments: [("a", "b"), ("b", "a")])
    func unknownConsents(refusal: String, agreement: String) throws {
        let run = try Self.run()
        for message in [Self.consent(refusal, "denied"), Self.consent(agreement, "always")] {
            run.broker.publish(message.topic, message.payload, retain: true)
        }
        try run.take([], at: .at(-10))
        try run.take([Self.fix(agreement, east: 0, at: 0)], at: .at(0.4))
        #expect(Self.regions("state", run).isEmpty)
        #expect(Self.regions("consent", run) == ["a", "b"], "neither is the gateway's to take back")
    }

    @Test(
        "A refusal is taken back by an empty payload where it was sent, and not by one on another level",
        arguments: [("a", true), ("b", false)])
    func emptied(region: String, isTakenBack: Bool) throws {
        let run = try Self.run()
        try run.take([Self.consent("a", "denied")], at: .at(-20))
        try run.take([Self.message(region, "consent", "")], at: .at(-10))
        try run.take([Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        #expect(Self.regions("state", run) == (isTakenBack ? ["a"] : []))
    }

    @Test(
        "Who consents again after a restart is judged by what is retained on other levels, of several by the tallest",
        arguments: [["b": 4.2], ["b": 4.2, "c": 4.4], ["b": 4.4, "c": 4.2]] as [[String: Metres]])
    func consentedElsewhere(heights: [String: Metres]) throws {
        let run = try Self.run()
        try run.take([Self.consent("b", "denied")], at: .at(-30))
        try run.take(heights.keys.sorted().map { Self.profile($0, heights[$0]!) }, at: .at(-20))
        try run.kill()
        try run.take([], at: .at(-10))
        try run.take([Self.consent("a", "always"), Self.fix("a", east: 0, at: 0)], at: .at(0.4))
        #expect(try Self.state(run).height.value == heights.values.max())
        #expect(try Self.keptRegions("profile", run) == heights.keys.sorted())
        #expect(Self.regions("consent", run) == ["a"])
    }
}

extension NamedLevelsTests: NamedLevelSuite {}
