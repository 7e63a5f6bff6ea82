import Fleet
import Hashing
import Messages
import Testing

@testable import Wire

@Suite struct AcknowledgementTests {
    @Test(
        "An alert, a request and a region set can be acknowledged",
        arguments: [
            (#"{"alert":"b1946ac9","sequence":2}"#, .alert(id: "b1946ac9", sequence: 2)),
            (#"{"alert":"b1946ac9","sequence":2.0,"extra":1}"#, .alert(id: "b1946ac9", sequence: 2)),
            (#"{"request":"r1"}"#, .request(id: "r1")),
            (#"{"regions":7}"#, .regions(version: 7, failed: [:])),
            (
                #"{"regions":7,"failed":[{"id":"a","reason":"too small"},{"id":"b"}]}"#,
                .regions(version: 7, failed: ["a": "too small", "b": ""])
            ),
        ] as [(String, Acknowledgement)])
    func read(payload: String, acknowledgement: Acknowledgement) {
        #expect(Arrival.decode(.ack, payload).reports == [.acknowledgement(acknowledgement)])
    }

    @Test(
        "Everything else has a reason",
        arguments: [
            ("{}", .missingField), (#"{"alert":"a"}"#, .missingField), (#"{"sequence":1}"#, .missingField),
            (#"{"alert":1,"sequence":1}"#, .wrongType), (#"{"alert":"a","sequence":"1"}"#, .wrongType),
            (#"{"alert":"a","sequence":1.5}"#, .wrongType), (#"{"alert":"a","sequence":0}"#, .outOfRange),
            (#"{"alert":"a","sequence":18446744073709551615}"#, .wrongType), (#"{"regions":-1}"#, .outOfRange),
            (#"{"regions":7,"failed":{}}"#, .wrongType), (#"{"regions":7,"failed":["a"]}"#, .wrongType),
            (#"{"regions":7,"failed":[{}]}"#, .missingField), (#"{"request":5}"#, .wrongType), ("[]", .wrongType),
            ("", .malformedJSON), ("ok", .malformedJSON),
        ] as [(String, InputError)])
    func rejections(payload: String, reason: InputError) {
        #expect(Arrival.decode(.ack, payload).rejections == [reason])
    }

    @Test("Ids and lists are limited")
    func limits() {
        let id = String(repeating: "i", count: 129)
        #expect(Arrival.decode(.ack, "{\"request\":\"\(id)\"}").rejections == [.outOfRange])
        let failed = (0...100).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        #expect(Arrival.decode(.ack, "{\"regions\":1,\"failed\":[\(failed)]}").rejections == [.tooLarge])
    }
}
