import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite struct ProfileTests {
    private func decode(_ payload: String) -> DecodedMessage {
        Arrival.decode(.profile, payload, retained: true)
    }

    @Test("The contract's example is read member by member")
    func example() {
        let decoded = decode(
            """
            {"height": "13'6\\"", "parts": {"tractor": 3.05, "trailer": 4.11, "load": 0},
             "margin": "3 in", "source": "driver", "measured_at": "2026-11-21T06:00:00Z", "valid_for": "24 h",
             "units": "imperial", "groups": ["midwest"]}
            """)
        let profile = HeightProfile(
            height: 412, margin: 0.0762, source: "driver", measuredAt: Timestamp(milliseconds: 1_795_240_800_000),
            validFor: 86_400, units: .imperial, groups: ["midwest"])
        #expect(decoded.reports == [.profile(profile)])
        #expect(decoded.rejections == [])
    }

    @Test("An empty payload removes the profile; an empty object says nothing about the height")
    func empty() {
        #expect(decode("").reports == [.profile(nil)])
        #expect(decode("{}").reports == [.profile(HeightProfile(height: nil))])
        #expect(decode(#"{"height":null,"parts":{},"margin":null}"#).reports == [.profile(HeightProfile(height: nil))])
    }

    @Test(
        "A height is rounded up to a centimetre, in decimal",
        arguments: [
            (#""13'6\"""#, 412), (#""13 ft 6 in""#, 412), (#""13'6""#, 412), (#""4.11 m""#, 411), (#""411 cm""#, 411),
            (#""4.111 m""#, 412), (#""4.11001 m""#, 412), (#""4.110000001""#, 412), (#""4,1 m""#, 410), (#""3 in""#, 8),
            ("4.11", 411), ("4.35", 435), ("4.350", 435), ("4.110000001", 412), ("4.1101", 412), ("4", 400), ("6", 600),
            ("0.001", 1), ("2.99", 299), ("1.15", 115), ("411e-2", 411),
        ])
    func heights(text: String, expected: Centimetres) {
        #expect(decode("{\"height\":\(text)}").profile?.height == expected)
    }

    @Test("Every centimetre up to 6 m, as a number or as a text, is that many centimetres")
    func everyCentimetre() {
        for height in 1...600 {
            let metres = "\(height / 100).\(height / 10 % 10)\(height % 10)"
            #expect(decode("{\"height\":\(metres)}").profile?.height == height)
            #expect(decode("{\"height\":\"\(metres) m\"}").profile?.height == height)
        }
    }

    @Test("The highest part counts, and the larger of height and parts")
    func parts() {
        #expect(decode(#"{"parts":{"tractor":3.05,"trailer":"13'6\"","load":0,"x":null}}"#).profile?.height == 412)
        #expect(decode(#"{"height":4.2,"parts":{"trailer":4.11}}"#).profile?.height == 420)
        #expect(decode(#"{"height":4.0,"parts":{"trailer":4.11}}"#).profile?.height == 411)
    }

    @Test(
        "Durations and margins are texts with a unit or numbers",
        arguments: [(#""24 h""#, 86_400), (#""90 min""#, 5400), (#""30 s""#, 30), (#""7 d""#, 604_800), ("3600", 3600)])
    func validity(text: String, seconds: Seconds) {
        #expect(decode("{\"valid_for\":\(text)}").profile?.validFor == seconds)
    }

    @Test(
        "A margin may be nothing",
        arguments: [("0", 0), ("0.1", 0.1), (#""10 cm""#, 0.1), (#""3 in""#, 0.0762), ("1", 1)])
    func margins(text: String, metres: Metres) {
        #expect(decode("{\"margin\":\(text)}").profile?.margin == metres)
    }

    @Test(
        "What is wrong with a profile is said by its reason",
        arguments: [
            (#"{"height":0}"#, .implausibleHeight), (#"{"height":-4}"#, .implausibleHeight),
            (#"{"height":6.0001}"#, .implausibleHeight), (#"{"height":1e300}"#, .implausibleHeight),
            (#"{"height":"0 m"}"#, .implausibleHeight), (#"{"height":"-4.1 m"}"#, .implausibleHeight),
            (#"{"height":"601 cm"}"#, .implausibleHeight), (#"{"height":"6.0001 m"}"#, .implausibleHeight),
            (#"{"height":"900000 km"}"#, .implausibleHeight), (#"{"height":411}"#, .implausibleHeight),
            (#"{"height":0,"parts":{"a":4}}"#, .implausibleHeight), (#"{"parts":{"a":0}}"#, .implausibleHeight),
            (#"{"parts":{"a":4,"b":-1}}"#, .implausibleHeight), (#"{"parts":{"a":7}}"#, .implausibleHeight),
            (#"{"height":"tall"}"#, .unreadableHeight), (#"{"height":""}"#, .unreadableHeight),
            (#"{"height":"NaN"}"#, .unreadableHeight), (#"{"height":"4,110 mm"}"#, .unreadableHeight),
            (#"{"parts":{"a":"tall"}}"#, .unreadableHeight), (#"{"height":NaN}"#, .malformedJSON),
            (#"{"height":true}"#, .wrongType), (#"{"height":[4]}"#, .wrongType), (#"{"parts":[4]}"#, .wrongType),
            (#"{"parts":{"a":{}}}"#, .wrongType), (#"{"margin":"wide"}"#, .unreadableLength),
            (#"{"margin":-0.01}"#, .outOfRange), (#"{"margin":1.01}"#, .outOfRange),
            (#"{"margin":"-1 in"}"#, .outOfRange),
            (#"{"margin":false}"#, .wrongType), (#"{"source":5}"#, .wrongType),
            (#"{"measured_at":"soon"}"#, .unreadableTime),
            (#"{"height":3.5,"height":4.2}"#, .repeatedName),
            (#"{"height":4,"source":"a","source":"a"}"#, .repeatedName),
            (#"{"valid_for":"long"}"#, .unreadableDuration), (#"{"valid_for":0}"#, .outOfRange),
            (#"{"valid_for":-5}"#, .outOfRange), (#"{"valid_for":1e300}"#, .outOfRange),
            (#"{"valid_for":[]}"#, .wrongType),
            (#"{"units":"furlongs"}"#, .outOfRange), (#"{"language":"tlh"}"#, .outOfRange),
            (#"{"units":1}"#, .wrongType),
            (#"{"groups":"midwest"}"#, .wrongType),
            (#"{"groups":[1]}"#, .wrongType), ("[]", .wrongType), ("4.1", .wrongType), ("\"4.1 m\"", .wrongType),
            ("tall", .malformedJSON), (" ", .malformedJSON),
        ] as [(String, InputError)])
    func rejections(payload: String, reason: InputError) {
        let decoded = decode(payload)
        #expect(decoded.rejections == [reason])
        guard case .refused(let refused) = decoded.reports.first, decoded.reports.count == 1 else {
            Issue.record("it is not refused")
            return
        }
        #expect(refused.subject == .profile && refused.problem.contains(#/expected|too-large/#))
    }

    @Test(
        "A height that is refused is shown",
        arguments: [
            (#"{"height":0}"#, "got 0"), (#"{"height":20}"#, "got 20"), (#"{"height":"tall"}"#, #"got "tall""#),
            (#"{"height":4,"parts":{"a":0,"b":9}}"#, "got 9"), (#"{"language":"tlh"}"#, #"got "tlh""#),
            (#"{"height":3.5,"height":4.2}"#, "height: expected one member of this name, got two"),
        ])
    func shown(payload: String, ending: String) {
        guard case .refused(let refused) = decode(payload).reports.first else {
            Issue.record("it is not refused")
            return
        }
        #expect(refused.problem.hasSuffix(ending), "\(refused.problem)")
    }

    @Test(
        "A height in feet and inches is rounded up, however a sign has it",
        arguments: [
            (#"13'6½\""#, 413), (#"13 ft 6 1/8 in"#, 412), ("13-6", 412), (#"13'-6\""#, 412),
            ("13 feet 6 inches", 412), ("3.9 mt", 390), ("4.11 metres", 411),
        ])
    func fractions(text: String, expected: Centimetres) {
        #expect(decode("{\"height\":\"\(text)\"}").profile?.height == expected)
    }

    @Test("Texts and lists are limited")
    func limits() {
        let name = String(repeating: "n", count: 64)
        #expect(decode("{\"source\":\"\(name)\"}").profile?.source == name)
        #expect(decode("{\"source\":\"\(name)n\"}").rejections == [.outOfRange])
        #expect(decode("{\"groups\":[\"\(name)n\"]}").rejections == [.outOfRange])
        let groups = Array(repeating: "\"g\"", count: 101).joined(separator: ",")
        #expect(decode("{\"groups\":[\(groups)]}").rejections == [.tooLarge])
    }
}
