import Fleet
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

    @Test("An empty payload says nothing any more")
    func empty() {
        #expect(decode("").reports == [.consent(nil)])
        #expect(decode("").rejections == [])
    }

    @Test(
        "Everything else has a reason, and is no consent",
        arguments: [
            ("{}", .missingField), (#"{"status":null}"#, .missingField), (#"{"in_use":true}"#, .missingField),
            (#"{"status":"Always"}"#, .outOfRange), (#"{"status":""}"#, .outOfRange), (#"{"status":1}"#, .wrongType),
            (#"{"status":"always","in_use":1}"#, .wrongType), (#"{"status":"always","in_use":"true"}"#, .wrongType),
            (#""always""#, .wrongType), ("always", .malformedJSON), (" ", .malformedJSON), ("[]", .wrongType),
        ] as [(String, Rejection)])
    func rejections(payload: String, reason: Rejection) {
        #expect(decode(payload).rejections == [reason])
        #expect(decode(payload).reports == [])
    }

    @Test("It is subscribed to before everything else, so that no position is used without it")
    func order() {
        #expect(WireDecoder.leaves == [.consent, .profile, .route, .presence, .ack, .location])
    }
}
