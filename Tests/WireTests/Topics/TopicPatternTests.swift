import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct TopicPatternTests {
    private let region = try? TopicPattern("acme/{region}/{v}")

    @Test(
        "A pattern's text comes back",
        arguments: ["fleet/{v}", "{v}", "acme/{region}/{v}", "{v}/{depot}/trucks", "a b/ü/{v}"])
    func text(pattern: String) throws {
        #expect(try TopicPattern(pattern).description == pattern)
    }

    @Test("The standard pattern is the documented default")
    func standard() throws {
        #expect(try TopicPattern("fleet/{v}") == .standard)
    }

    @Test(
        "What cannot be a pattern is a problem with a name",
        arguments: [
            ("", .emptyLevel), ("fleet//{v}", .emptyLevel), ("/fleet/{v}", .emptyLevel), ("fleet/{v}/", .emptyLevel),
            ("fleet", .vehicleMissing), ("fleet/{vehicle}", .vehicleMissing), ("{v}/{v}", .repeatedName("{v}")),
            ("{r}/{r}/{v}", .repeatedName("{r}")), ("fleet/truck-{v}", .strayBrace("truck-{v}")),
            ("fleet/{v", .strayBrace("{v")), ("fleet/{}/{v}", .strayBrace("{}")), ("{{v}}", .strayBrace("{{v}}")),
            ("fleet/+/{v}", .forbiddenCharacter(level: "+")), ("fleet/#", .forbiddenCharacter(level: "#")),
            ("fl\u{0}eet/{v}", .forbiddenCharacter(level: "fl\u{0}eet")), ("$SYS/{v}", .systemTopic),
            (String(repeating: "a", count: 121), .tooLong),
        ] as [(String, TopicError)])
    func problems(pattern: String, problem: TopicError) {
        #expect(throws: problem) { try TopicPattern(pattern) }
        #expect(!problem.description.isEmpty)
    }

    @Test("Filters put a plus for everything that varies")
    func filters() throws {
        #expect(TopicPattern.standard.filter(for: .location) == "fleet/+/location")
        let region = try #require(region)
        let vehicle = try #require(VehicleID("T42"))
        #expect(region.filter(for: .profile) == "acme/+/+/profile")
        #expect(region.filter(for: vehicle) == "acme/+/T42/+")
        #expect(region.filter(for: vehicle, .profile) == "acme/+/T42/profile")
    }

    @Test("Every leaf's topic is parsed back to the address it was made for")
    func roundTrip() throws {
        let region = try #require(region)
        let address = VehicleAddress(vehicle: try #require(VehicleID("T 42 üßĀ€\u{A0}🚚")), levels: ["north"])
        for topicSuffix in TopicSuffix.allCases {
            let topic = try #require(region.topic(for: address, topicSuffix))
            #expect(topic == "acme/north/T 42 üßĀ€\u{A0}🚚/\(topicSuffix.rawValue)")
            #expect(try region.parse(topic) == (address, topicSuffix))
        }
    }

    @Test("An address from another pattern has no topic")
    func otherPattern() throws {
        let vehicle = try #require(VehicleID("T42"))
        #expect(TopicPattern.standard.topic(for: VehicleAddress(vehicle: vehicle, levels: ["north"]), .alert) == nil)
        #expect(try #require(region).topic(for: VehicleAddress(vehicle: vehicle), .alert) == nil)
    }

    @Test(
        "A topic that does not fit is unknown",
        arguments: [
            "", "fleet", "fleet/T42", "fleet/T42/x/location", "other/T42/location", "fleet/T42/locations",
            "fleet//location/",
            "/fleet/T42/location", "fleet/T42/Location", "fleet/\(String(repeating: "x", count: 1200))/location",
        ])
    func unknown(topic: String) {
        #expect(throws: InputError.unknownTopic) { try TopicPattern.standard.parse(topic) }
    }

    @Test(
        "A level that can be no vehicle's name is an invalid id",
        arguments: [
            "", "T\u{7}", "T\u{7F}", "é\u{85}", "\u{80}", "\u{9F}", "a+b", "#", String(repeating: "x", count: 65),
            "e" + String(repeating: "\u{301}", count: 128),
        ])
    func invalidVehicle(id: String) {
        #expect(throws: InputError.invalidVehicleID) { try TopicPattern.standard.parse("fleet/\(id)/location") }
    }

    @Test("A named level must be able to stand in output topics", arguments: ["", "a+", "\u{1}"])
    func invalidLevel(level: String) throws {
        let region = try #require(region)
        #expect(throws: InputError.unknownTopic) { try region.parse("acme/\(level)/T42/location") }
    }
}

@Suite struct GatewayTopicsTests {
    @Test("Status and probe stand under the prefix")
    func topics() throws {
        let topics = try GatewayTopics(clientID: "headroom-1")
        #expect(topics.status == "headroom/status/headroom-1")
        #expect(topics.probe == "headroom/probe/headroom-1")
        #expect(topics.retainedProbes == ["retained", "retained-2"].map { "headroom/probe/headroom-1/\($0)" })
        #expect(topics.retainedProbes.allSatisfy { TopicFilter.overlap($0, topics.retainedProbeFilter) })
        #expect(topics.retainedProbes.allSatisfy(topics.isOutput))
        #expect(try GatewayTopics(prefix: "acme/hr", clientID: "a").status == "acme/hr/status/a")
    }

    @Test(
        "Neither prefix nor client id may vary or be empty",
        arguments: [("", "a"), ("h/", "a"), ("h", ""), ("h", "a/b"), ("+", "a"), ("{v}", "a"), ("h", "{v}")])
    func problems(prefix: String, clientID: String) {
        #expect(throws: TopicError.self) { try GatewayTopics(prefix: prefix, clientID: clientID) }
    }

    @Test("Vehicles are told apart byte by byte, as topics are: an ü of one code point and one of two are two")
    func bytes() throws {
        let ids = try ["K\u{FC}hl", "Ku\u{308}hl"].map { try #require(VehicleID($0)) }
        #expect(ids[0] != ids[1] && Set(ids).count == 2 && (ids[0] < ids[1]) != (ids[1] < ids[0]))
        let addresses = ids.map { VehicleAddress(vehicle: ids[0], levels: [$0.text]) }
        #expect(addresses[0] != addresses[1])
    }
}
