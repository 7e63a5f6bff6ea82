import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct ConsentTests {
    private func decode(_ payload: String) -> DecodedMessage { Arrival.decode(.consent, payload, retained: true) }

    @Test(
        "Every status is read, and whether the app is in use",
        arguments: [
            (#"{"status":"not-determined"}"#, Consent(.notDetermined)),
            (#"{"status":"when-in-use","in_use":true}"#, Consent(.whenInUse, isInUse: true)),
            (#"{"status":"when-in-use","in_use":false}"#, Consent(.whenInUse)),
            (#"{"status":"when-in-use"}"#, Consent(.whenInUse)),
            (#"{"status":"always","in_use":null}"#, Consent(.always)),
            (#"{"in_use":true,"status":"always","since":2026}"#, Consent(.always, isInUse: true)),
            (#"{"status":"denied"}"#, Consent(.denied)), (#"{"status":"restricted"}"#, Consent(.restricted)),
        ])
    func statuses(payload: String, consent: Consent) {
        #expect(decode(payload) == DecodedMessage(address: decode("").address, reports: [.consent(consent)]))
    }

    @Test(
        "A status is read in capitals and with other marks between its words",
        arguments: [
            ("Denied", .denied), ("DENIED", .denied), ("Always", .always), ("whenInUse", .whenInUse),
            ("when_in_use", .whenInUse), ("WHEN-IN-USE", .whenInUse), ("When in use", .whenInUse),
            ("notDetermined", .notDetermined), ("not_determined", .notDetermined), ("Restricted", .restricted),
        ] as [(String, Consent.Status)])
    func spellings(word: String, status: Consent.Status) {
        #expect(decode(#"{"status":"\#(word)"}"#).reports == [.consent(Consent(status))])
    }

    @Test("An empty payload says nothing any more")
    func empty() {
        #expect(decode("").reports == [.consent(nil)])
        #expect(decode("").rejections == [])
    }

    @Test(
        "Everything else has a reason, and is refused with what was expected and what was got",
        arguments: [
            ("{}", .missingField, status + "nothing"), (#"{"status":null}"#, .missingField, status + "nothing"),
            (#"{"in_use":true}"#, .missingField, status + "nothing"),
            (#"{"status":"revoked"}"#, .outOfRange, status + #""revoked""#),
            (#"{"status":"alway"}"#, .outOfRange, status + #""alway""#),
            (#"{"status":""}"#, .outOfRange, status + #""""#),
            (#"{"status":1}"#, .wrongType, status + "1"), (#"{"status":["always"]}"#, .wrongType, status + "a list"),
            (#"{"status":"always","in_use":1}"#, .wrongType, inUse + "1"),
            (#"{"status":"always","in_use":"true"}"#, .wrongType, inUse + #""true""#),
            (
                #"{"status":"always","status":"denied"}"#, .repeatedName,
                "status: expected one member of this name, got two"
            ),
            (#""always""#, .wrongType, object + #""always""#), ("[]", .wrongType, object + "a list"),
        ] as [(String, InputError, String)])
    func refused(payload: String, reason: InputError, problem: String) {
        #expect(decode(payload).rejections == [reason])
        #expect(decode(payload).reports == [.refused(RefusedReport(.consent, problem: problem))])
    }

    private static let status = "status: expected always, when-in-use, not-determined, denied or restricted, got "
    private static let inUse = "in_use: expected true or false, got "
    private static let object = #"expected an object such as {"status": "always"}, got "#

    @Test("A payload that is too large, not UTF-8 or not JSON is refused as well")
    func unreadable() {
        for (payload, reason) in [
            (Array(repeating: UInt8(ascii: " "), count: WireLimits.payloadBytes + 1), InputError.tooLarge),
            ([0x7B, 0xFF], .invalidUTF8), (Array("always".utf8), .malformedJSON), ([0x20], .malformedJSON),
        ] {
            let decoded = Arrival.decode(.consent, payload)
            #expect(decoded.rejections == [reason])
            guard case .refused(let refused) = decoded.reports.first else {
                Issue.record("it is not refused")
                continue
            }
            #expect(refused.subject == .consent && refused.problem.count < 200)
        }
    }

    @Test("It is subscribed to before everything else, so that no position is used without it")
    func order() {
        #expect(WireDecoder.topicSuffixes == [.consent, .profile, .route, .presence, .ack, .location])
    }
}
