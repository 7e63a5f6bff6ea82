import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct InputTopicTests {
    @Test(
        "What to subscribe to, and what stands in the topic",
        arguments: [
            ("owntracks/{user}/{v}", "owntracks/+/+", ["user"], true),
            (
                "/hfp/v2/journey/ongoing/vp/bus/{operator}/{v}/#", "/hfp/v2/journey/ongoing/vp/bus/+/+/#", ["operator"],
                true
            ),
            ("traccar/positions", "traccar/positions", [], false), ("a/+//{x}/b", "a/+//+/b", ["x"], false),
            ("#", "#", [], false), ("/", "/", [], false),
        ])
    func filters(text: String, filter: String, names: [String], namesVehicle: Bool) throws {
        let topic = try InputTopic(text)
        #expect(topic.filter == filter && topic.names == names && topic.namesVehicle == namesVehicle)
        #expect(topic.description == text)
    }

    @Test(
        "What cannot be subscribed to is refused",
        arguments: [
            ("", TopicError.emptyLevel), ("$SYS/{v}", .systemTopic), ("a/#/b", .forbiddenCharacter(level: "#")),
            ("a/b+", .forbiddenCharacter(level: "b+")), ("a/{v}/{v}", .repeatedName("{v}")),
            ("{x}/{x}", .repeatedName("{x}")), ("a/x{v}", .strayBrace("x{v}")), ("a/{}", .strayBrace("{}")),
            ("a/\u{0}", .forbiddenCharacter(level: "\u{0}")), (String(repeating: "a", count: 1025), .tooLong),
        ])
    func problems(text: String, problem: TopicError) {
        #expect(throws: problem) { try InputTopic(text) }
    }

    private static func match(_ pattern: String, _ topic: String, _ names: [String] = []) throws -> InputTopic.Match? {
        try InputTopic(pattern).match(topic.split(separator: "/", omittingEmptySubsequences: false), names: names)
    }

    @Test("A topic that fits says which vehicle, and the levels that are asked for in the order of asking")
    func matches() throws {
        let hfp = try Self.match("/hfp/{a}/{v}/{b}/#", "/hfp/x/T42/y/1/2", ["b", "a"])
        #expect(hfp?.named["v"] == "T42" && hfp?.levels == ["y", "x"] && hfp?.rest == ["1", "2"])
        #expect(try Self.match("a/{v}/#", "a/T42")?.rest == [])
        #expect(try Self.match("a/{v}", "a/T42/event")?.rest == ["event"])
        #expect(try Self.match("a/+/b", "a//b")?.named == [:])
        for other in ["b/T42", "a", "/a/T42"] { #expect(try Self.match("a/{v}", other) == nil) }
    }

    @Test("A level that cannot stand in the topics of output is rejected")
    func levels() {
        #expect(throws: InputError.unknownTopic) { try Self.match("a/{x}/{v}", "a//T42", ["x"]) }
    }

    @Test(
        "Filters overlap where one topic fits both",
        arguments: [
            ("a/b", "a/b", true), ("a/+", "a/b", true), ("a/+", "+/b", true), ("a/#", "a", true),
            ("a/#", "a/b/c", true),
            ("#", "x/y", true), ("a/b", "a/c", false), ("a/+", "a/b/c", false), ("a/+", "a", false),
            ("+/b", "a/c", false), ("a/+/#", "a", false), ("/a", "a", false), ("+/a", "/a", true),
            ("a/#", "ab/c", false), ("a//b", "a/+/b", true), ("a/b/", "a/b", false),
            ("K\u{FC}hl", "Ku\u{308}hl", false),
        ])
    func overlap(a: String, b: String, doOverlap: Bool) {
        #expect(TopicFilter.overlap(a, b) == doOverlap && TopicFilter.overlap(b, a) == doOverlap)
    }
}

@Suite struct JSONPointerTests {
    private static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "m~n": 8, "list": [{"x": [7]}], "no": null, "01": 5}
        """#

    private static func number(at pointer: String) throws -> Double? {
        let pointer = try #require(JSONPointer(pointer))
        return try JSONParser().read(Array(document.utf8)) { root throws(InputError) in pointer.value(in: root)?.double
        }
    }

    @Test(
        "A pointer leads through members and elements (RFC 6901 §5)",
        arguments: [
            ("/", 0.0), ("/a~1b", 1), ("/c%d", 2), ("/m~0n", 8), ("/list/0/x/0", 7), ("/01", 5),
        ])
    func found(pointer: String, value: Double) throws {
        #expect(try Self.number(at: pointer) == value)
        #expect(JSONPointer(pointer)?.description == pointer)
    }

    @Test(
        "Where nothing stands, or null, there is no value",
        arguments: [
            "/no", "/foo/2", "/foo/-", "/foo/00", "/foo/0/x", "/list/x", "/nowhere", "/foo/99999999999999999999",
        ])
    func absent(pointer: String) throws {
        #expect(try Self.number(at: pointer) == nil)
    }

    @Test("What is no pointer is refused", arguments: ["a", "a/b", "/~", "/~2", "/a~", "#/a"])
    func refused(text: String) { #expect(JSONPointer(text) == nil) }
}
