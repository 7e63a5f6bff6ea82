import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite struct TraccarTests {
    private static func decode(_ position: String, retained: Bool = false) -> DecodedMessage {
        let payload = #"{"position":{"latitude":42.5,"longitude":-83.5,\#(position)},"device":{"uniqueId":"T42"}}"#
        return LayoutExamples.decode(Array(payload.utf8), .traccar, retained: retained)[0]
    }

    @Test("A forwarded position is a fix: knots, and an accuracy of 0 is not known")
    func position() {
        let decoded = Self.decode(
            #""fixTime":"2026-11-21T14:03:22.500+0000","speed":10,"course":360,"accuracy":0.0,"altitude":256,"valid":true"#
        )
        #expect(decoded.address == VehicleAddress(vehicle: LayoutExamples.truck))
        let fix = decoded.fixes.first
        #expect(fix?.time == Timestamp(milliseconds: 1_795_269_802_500))
        #expect(
            abs((fix?.speed ?? 0) - 5.1444) < 0.0001 && fix?.course == 0 && fix?.accuracy == nil && fix?.altitude == 256
        )
    }

    @Test(
        "Times as Traccar's versions have written them, all the same moment",
        arguments: [
            #""fixTime":"2026-11-21T14:03:22.500+00:00""#, #""fixTime":"2026-11-21T16:03:22.500+0200""#,
            #""fixTime":"2026-11-21T14:03:22.500Z""#, #""fixTime":1795269802500"#,
            #""fixTime":null,"deviceTime":"2026-11-21T14:03:22.500+0000""#,
        ])
    func times(time: String) {
        #expect(Self.decode(time).fixes.first?.time == Timestamp(milliseconds: 1_795_269_802_500))
    }

    @Test("A position without a receiver's fix is rejected, one that is only repeated and an event are no positions")
    func notFixes() {
        #expect(Self.decode(#""valid":false"#).rejections == [.invalidFix])
        #expect(Self.decode(#""outdated":true,"valid":true"#).other == .lastKnownPosition)
        let event =
            #"{"event":{"type":"deviceOnline"},"device":{"uniqueId":"T42"},"position":{"latitude":1,"longitude":2}}"#
        #expect(LayoutExamples.decode(Array(event.utf8), .traccar) == [DecodedMessage(address: nil, other: .event)])
    }

    @Test("Retained, it needs a time, and a fresh one")
    func retained() {
        #expect(Self.decode(#""valid":true"#, retained: true).rejections == [.retainedWithoutTime])
        #expect(Self.decode(#""fixTime":1795269802500"#, retained: true).rejections == [.tooOld])
    }

    @Test(
        "What is missing or of another type",
        arguments: [
            (#"{"device":{"uniqueId":"T42"}}"#, InputError.missingField),
            (#"{"position":{"latitude":1,"longitude":2}}"#, .missingField),
            (#"{"position":{"latitude":1,"longitude":2},"device":{"uniqueId":""}}"#, .invalidVehicleID),
            (#"{"position":{"latitude":1,"longitude":2},"device":{"uniqueId":[]}}"#, .wrongType),
            (#"{"position":7,"device":{"uniqueId":"T42"}}"#, .wrongType), (#"{"event":7}"#, .wrongType),
            (#"{"position":{"latitude":1,"longitude":2,"valid":"yes"},"device":{"uniqueId":"T42"}}"#, .wrongType),
            (
                #"{"position":{"latitude":1,"longitude":2,"fixTime":"soon"},"device":{"uniqueId":"T42"}}"#,
                .unreadableTime
            ),
        ])
    func bad(payload: String, reason: InputError) {
        #expect(LayoutExamples.decode(Array(payload.utf8), .traccar)[0].rejections == [reason])
    }
}
