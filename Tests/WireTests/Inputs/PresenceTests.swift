import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct PresenceTests {
    @Test(
        "Plain text, a line of it, a JSON string and the status of an object say the same",
        arguments: [
            ("online", .online), ("offline", .offline), ("online\n", .online), (" offline\r\n", .offline),
            ("\"online\"", .online), (" \"offline\" ", .offline), ("\"\\u006fnline\"", .online), ("Online", .online),
            ("OFFLINE", .offline),
            (#"{"status": "offline"}"#, .offline), (#" {"status":"online","version":"2"}"#, .online),
        ] as [(String, Presence)])
    func words(payload: String, presence: Presence) {
        #expect(Arrival.decode(.presence, payload, retained: true).reports == [.presence(presence)])
    }

    @Test(
        "Everything else has a reason",
        arguments: [
            (" \n", .missingField), ("away", .outOfRange),
            ("1", .outOfRange),
            (#"{"status":"away"}"#, .outOfRange), (#"{"status":1}"#, .wrongType), ("{}", .missingField),
            (#"{"status":"#, .malformedJSON), ("\"away\"", .outOfRange), ("\"online", .malformedJSON),
        ] as [(String, InputError)])
    func rejections(payload: String, reason: InputError) {
        #expect(Arrival.decode(.presence, payload).rejections == [reason])
    }

    @Test("An emptied topic says nothing about it any more")
    func emptied() { #expect(Arrival.decode(.presence, "").reports == [.presence(nil)]) }

    @Test("Bytes that are no UTF-8 are said so, quoted or not")
    func invalidUTF8() {
        #expect(Arrival.decode(.presence, [0xFF]).rejections == [.invalidUTF8])
        #expect(Arrival.decode(.presence, [0x22, 0xFF, 0x22]).rejections == [.invalidUTF8])
    }
}
