import Messages
import Testing

@testable import Wire

@Suite("The pattern in use, and those before it")
struct TopicPatternsTests {
    private static let outputs: [TopicSuffix] = [.state, .handling]
    private let vehicle: VehicleID

    init() throws { vehicle = try #require(VehicleID("T42")) }

    private func patterns(_ current: String, _ stored: String...) throws -> TopicPatterns {
        TopicPatterns(try TopicPattern(current), stored: stored)
    }

    private func topics(_ patterns: TopicPatterns, _ levels: String...) -> [String] {
        patterns.formerTopics(of: VehicleAddress(vehicle: vehicle, levels: levels), Self.outputs)
    }

    @Test("What a store keeps comes back, the newest first and each once, without what cannot be read")
    func text() throws {
        let first = try patterns("fleet/{v}")
        #expect(first.former.isEmpty && first.text == "fleet/{v}")
        let second = try patterns("acme/{region}/{v}", first.text, first.text)
        #expect(second.text == "acme/{region}/{v}\nfleet/{v}")
        let third = try patterns("trucks/{v}", second.text, "no pattern\n")
        #expect(third.former.map(\.description) == ["acme/{region}/{v}", "fleet/{v}"])
        #expect(try patterns("fleet/{v}", third.text).text == "fleet/{v}\ntrucks/{v}\nacme/{region}/{v}")
    }

    @Test("The ninth one is forgotten")
    func limit() throws {
        let stored = (1...9).map { "fleet-\($0)/{v}" }.joined(separator: "\n")
        #expect(try patterns("fleet/{v}", stored).former.last?.description == "fleet-8/{v}")
    }

    @Test("All that concerns one vehicle is found, under any levels and any of the patterns")
    func concerns() throws {
        let patterns = try patterns("acme/{region}/{v}", "fleet/{v}")
        for topic in ["acme/north/T42/state", "fleet/T42/state", "fleet/T42/profile"] {
            #expect(patterns.concerns(vehicle, topic), "\(topic)")
        }
        for topic in ["acme/T42/T43/state", "acme/T42/state", "fleet/T43/state"] {
            #expect(!patterns.concerns(vehicle, topic), "\(topic)")
        }
        #expect(patterns.current.filter(for: vehicle) == "acme/+/T42/+")
        #expect(patterns.formerFilters(for: vehicle) == ["fleet/T42/+"])
    }

    @Test("A vehicle's former topics are those of its address, and of patterns that name no other level")
    func former() throws {
        let patterns = try patterns("trucks/{v}", "fleet/{v}\nacme/{region}/{v}")
        #expect(topics(patterns) == ["fleet/T42/handling", "fleet/T42/state"])
        #expect(
            topics(patterns, "north") == ["acme/north", "fleet"].flatMap { ["\($0)/T42/handling", "\($0)/T42/state"] })
    }

    @Test("What the pattern in use makes another vehicle's topic is none of its former ones")
    func others() throws {
        let patterns = try patterns("{depot}/{v}", "{v}/{depot}")
        #expect(topics(patterns, "north").isEmpty)
        #expect(!patterns.concerns(vehicle, "T42/north/state") && patterns.concerns(vehicle, "north/T42/state"))
    }
}
