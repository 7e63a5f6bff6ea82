import Fleet
import Geo
import Hashing
import Messages
import Testing

@testable import Wire

@Suite struct WireDecoderTests {
    @Test(
        "Topics that are not listened to are unknown, whatever they carry",
        arguments: [TopicSuffix.alert, .state, .tracking, .regions])
    func otherLeaves(topicSuffix: TopicSuffix) {
        #expect(Arrival.decode(topicSuffix, #"{"lat":1,"lon":2}"#).rejections == [.unknownTopic])
    }

    @Test("A message on nobody's topic has no address, one on a vehicle's has it even where the payload is bad")
    func addresses() throws {
        let decoder = WireDecoder(pattern: try TopicPattern("acme/{region}/{v}"))
        let fix = Array(#"{"lat":1,"lon":2}"#.utf8)
        let decode = { (topic: String, payload: [UInt8]) in
            decoder.decode(topic: topic, payload: payload, retained: false, receivedAt: Arrival.time)[0]
        }
        let address = VehicleAddress(vehicle: try #require(VehicleID("T42")), levels: ["north"])
        #expect(decode("acme/north/T42/location", fix).address == address)
        #expect(decode("acme/north/T42/location", []).address == address)
        #expect(decode("acme/north/T42/location", []).rejections == [.malformedJSON])
        #expect(
            decode("fleet/T42/location", fix) == DecodedMessage(address: nil, rejected: [RejectedPart(.unknownTopic)]))
        #expect(
            decode("acme/north//location", fix)
                == DecodedMessage(address: nil, rejected: [RejectedPart(.invalidVehicleID)]))
    }

    @Test("A decoder goes on after every kind of bad message")
    func recovery() {
        let decoder = WireDecoder()
        for payload in ["{", "", "[[[", "\"", #"{"lat":1}"#, String(repeating: "[", count: 20_000)] {
            _ = decoder.decode(
                topic: "fleet/a/location", payload: Array(payload.utf8), retained: false, receivedAt: Arrival.time)
            let good = decoder.decode(
                topic: "fleet/a/location", payload: Array(#"{"lat":1,"lon":2}"#.utf8), retained: false,
                receivedAt: Arrival.time)[0]
            #expect(good.fixes.count == 1)
        }
    }

    @Test("10,000 mutated payloads never crash and always give a report or a reason")
    func fuzz() {
        let decoder = WireDecoder()
        var random = SplitMix64(seed: 20_261_121)
        var reports = 0
        var rejections = Set<InputError>()
        for _ in 0..<10_000 {
            let (topicSuffix, payload) = Self.seeds.randomElement(using: &random)!
            let decoded = decoder.decode(
                topic: "fleet/T42/\(topicSuffix.rawValue)", payload: Self.mutated(Array(payload.utf8), &random),
                retained: random.next() % 2 == 0, receivedAt: Arrival.time)[0]
            #expect(!(decoded.reports.isEmpty && decoded.rejections.isEmpty))
            for fix in decoded.fixes { #expect(fix.position.isValid) }
            if let height = decoded.profile?.height { #expect((1...600).contains(height)) }
            reports += decoded.reports.count
            rejections.formUnion(decoded.rejections)
        }
        // The mutations must be mild enough for both outcomes to be seen.
        #expect(reports > 500)
        #expect(rejections.isSuperset(of: [.malformedJSON, .invalidUTF8, .wrongType, .missingField, .outOfRange]))
    }

    private static let seeds: [(TopicSuffix, String)] = [
        (
            .location,
            #"{"lat":42.280597,"lon":-83.751891,"time":"2026-11-21T14:03:22.500Z","speed":17.2,"course":271.5}"#
        ),
        (.location, #"[{"lat":1,"lon":2,"time":1795269802},{"lat":3,"lon":4,"trigger":"enter","region":"é\u00e9"}]"#),
        (
            .profile,
            #"{"height":"13'6\"","parts":{"a":3.05,"b":4.11},"margin":"3 in","valid_for":"24 h","groups":["x"]}"#
        ),
        (.profile, #"{"height":4.11,"units":"metric","measured_at":1795269802500,"source":"driver"}"#),
        (.consent, #"{"status":"when-in-use","in_use":true}"#), (.presence, "online"), (.presence, "\"offline\""),
        (.ack, #"{"alert":"b1946ac92492d234","sequence":2}"#),
        (.ack, #"{"regions":7,"failed":[{"id":"a","reason":"b"}]}"#),
    ]

    private static let fragments = [
        "null", "-", "1e309", "\"", "\\u", "\\ud800", "[", "]", "{", "}", ",", ":", "99999999999999999999", "0", "'",
        "\"lat\":",
        "NaN", "\u{0}", "\u{FEFF}", "true", "∞",
    ].map { Array($0.utf8) }

    static func mutated(_ payload: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = payload
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 2: bytes.insert(contentsOf: fragments.randomElement(using: &random)!, at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &random)))
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
