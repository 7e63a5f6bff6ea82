import Fleet
import Geo
import Hashing
import Messages
import Testing

@testable import Wire

/// Whatever comes in whatever layout is a report, another message, or rejected with its reason.
@Suite struct LayoutBadInputTests {
    struct Damage: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var reason: InputError
        var damaged: @Sendable (String) -> [UInt8]

        init(_ name: String, _ reason: InputError, _ damaged: @escaping @Sendable (String) -> [UInt8]) {
            (testDescription, self.reason, self.damaged) = (name, reason, damaged)
        }

        /// The latitude, however it is written, becomes `text`.
        init(latitude text: String, _ reason: InputError) {
            self.init("latitude \(text)", reason) {
                Array($0.replacing(/42\.?50*/, with: text, maxReplacements: 1).utf8)
            }
        }
    }

    private static let damages = [
        Damage("empty", .malformedJSON) { _ in [] },
        Damage("blank", .malformedJSON) { _ in Array("  \n".utf8) },
        Damage("truncated", .malformedJSON) { Array($0.utf8.dropLast()) },
        Damage("half", .malformedJSON) { Array($0.utf8.prefix($0.utf8.count / 2)) },
        Damage("byte order mark", .malformedJSON) { [0xEF, 0xBB, 0xBF] + Array($0.utf8) },
        Damage("UTF-16", .malformedJSON) { $0.utf8.flatMap { [$0, 0] } },
        Damage("invalid UTF-8", .invalidUTF8) {
            Array("{\"x\":\"".utf8) + [0xC3, 0x28] + Array("\",\($0.dropFirst())".utf8)
        },
        Damage("nested 10,000 deep", .malformedJSON) { _ in
            Array((String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)).utf8)
        },
        Damage("larger than any payload", .tooLarge) { Array(($0 + String(repeating: " ", count: 300_000)).utf8) },
        Damage("two documents", .malformedJSON) { Array(($0 + $0).utf8) },
        Damage(latitude: "NaN", .malformedJSON), Damage(latitude: "1e999", .malformedJSON),
        Damage(latitude: "\"NaN\"", .wrongType), Damage(latitude: "\"north\"", .wrongType),
        Damage(latitude: "true", .wrongType), Damage(latitude: "{}", .wrongType), Damage(latitude: "[]", .wrongType),
        Damage(latitude: "null", .missingField), Damage(latitude: "1e300", .outOfRange),
        Damage(latitude: "99999999999999999999999", .malformedJSON),
    ]

    @Test("Damaged payloads of every layout are rejected for what is wrong with them", arguments: damages)
    func damaged(damage: Damage) {
        for (layout, payload) in LayoutExamples.payloads {
            #expect(Self.rejections(Array(payload.utf8), layout).isEmpty)
            #expect(Self.rejections(damage.damaged(payload), layout) == [damage.reason], "\(payload)")
        }
    }

    @Test(
        "A root that is nothing of the kind is rejected in every layout",
        arguments: ["7", "\"text\"", "true", "null", "[]", "{}", "[7]", "[{}]"])
    func root(payload: String) {
        for (name, layout) in LayoutExamples.layouts {
            let reasons = Self.rejections(Array(payload.utf8), layout)
            #expect(reasons == [.wrongType] || reasons == [.missingField], "\(name): \(reasons)")
        }
    }

    @Test("Of two members with one name the first counts")
    func duplicateMembers() {
        for (layout, payload) in LayoutExamples.payloads {
            let doubled = payload.replacing(/("lat(?:itude)?"):42\.?50*/) { "\($0.output.0),\($0.output.1):1" }
            let fixes = Self.decode(Array(doubled.utf8), layout).flatMap(\.fixes)
            #expect(fixes.map(\.position.latitude) == [42.5], "\(doubled)")
        }
    }

    @Test("In a batch what is wrong with one is no reason to pass over the others, whose they are")
    func batch() {
        let payload = #"""
            {"unit":{"id":"A"},"data":{"points":[{"lat":425000000,"lon":1},{"lat":"x","lon":1},7,
            {"unit":{"id":"B"},"lat":425000000,"lon":1},{"unit":{"id":"a/b"},"lat":1,"lon":1},{"lat":425000000,"lon":2}]}}
            """#
        let decoded = LayoutExamples.decode(Array(payload.utf8), .mapped(LayoutExamples.batch))
        #expect(decoded.map { $0.address?.vehicle.text } == ["A", nil, "B"])
        #expect(decoded.map(\.fixes.count) == [2, 0, 1])
        #expect(decoded[1].rejections == [.wrongType, .missingField, .invalidVehicleID])
    }

    @Test("More fixes than one message may hold are too many")
    func tooMany() {
        let many = "[" + repeatElement("{}", count: 10_001).joined(separator: ",") + "]"
        for layout in [InputLayout.headroom, .mapped(LayoutExamples.plain)] {
            #expect(Self.rejections(Array(many.utf8), layout) == [.tooLarge])
        }
    }

    @Test("20,000 mutated payloads never crash and each is accounted for")
    func fuzz() {
        var random = SplitMix64(seed: 4711)
        var (reports, rejections) = (0, Set<InputError>())
        let decoders = LayoutExamples.payloads.map { (LayoutExamples.decoder($0.layout), Array($0.payload.utf8)) }
        for _ in 0..<20_000 {
            let (decoder, payload) = decoders.randomElement(using: &random)!
            let decoded = decoder.decode(
                topic: "in/put", payload: WireDecoderTests.mutated(payload, &random),
                retained: random.next() % 2 == 0, receivedAt: Arrival.time)
            #expect(!decoded.isEmpty)
            for message in decoded {
                #expect(!(message.reports.isEmpty && message.rejections.isEmpty && message.other == nil))
                for fix in message.fixes { #expect(fix.position.isValid && fix.speed ?? 0 >= 0) }
                reports += message.reports.count
                rejections.formUnion(message.rejections)
            }
        }
        #expect(reports > 500)
        #expect(rejections.isSuperset(of: [.malformedJSON, .invalidUTF8, .wrongType, .missingField, .outOfRange]))
    }

    private static func decode(_ payload: [UInt8], _ layout: InputLayout) -> [DecodedMessage] {
        LayoutExamples.decode(payload, layout)
    }

    private static func rejections(_ payload: [UInt8], _ layout: InputLayout) -> [InputError] {
        decode(payload, layout).flatMap(\.rejections)
    }
}
