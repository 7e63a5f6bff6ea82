import Fleet
import Messages
import MQTT
import Testing

@testable import Wire

@Suite("Requests to forget a vehicle, and their answers")
struct ForgetTopicsTests {
    private let topics: GatewayTopics

    init() throws { topics = try GatewayTopics(prefix: "acme/headroom", clientID: "north") }

    @Test(
        "The vehicle is the level behind the topic; results and other topics are none",
        arguments: [
            ("acme/headroom/forget/T42", "T42"), ("acme/headroom/forget/Größe 7", "Größe 7"),
            ("acme/headroom/forget/", nil), ("acme/headroom/forget/T42/result", nil), ("headroom/forget/T42", nil),
            ("acme/headroom/fences/T42", nil),
        ])
    func vehicles(topic: String, id: String?) throws {
        var found: String?
        if case .forget(let id) = topics.inbound(topic) { found = id }
        #expect(found == id)
        #expect(topics.forgetFilter == "acme/headroom/forget/+")
        guard let id, let vehicle = VehicleID(id) else { return }
        #expect(topics.forget(vehicle) == topic)
    }

    @Test("A request is an object, which may name itself")
    func requests() throws {
        let vehicle = try #require(VehicleID("T42"))
        func read(_ payload: String, of vehicle: String = "T42") throws(InputError) -> ForgetRequest {
            try ForgetRequest(vehicle: vehicle, payload: Array(payload.utf8))
        }
        #expect(try read(#"{"request":"a1"}"#) == ForgetRequest(vehicle: vehicle, id: "a1"))
        #expect(try read("{}") == ForgetRequest(vehicle: vehicle, id: nil))
        #expect(throws: InputError.wrongType) { try read("[]") }
        #expect(throws: InputError.wrongType) { try read(#"{"request":1}"#) }
        #expect(throws: InputError.malformedJSON) { try read("T42") }
        #expect(throws: InputError.outOfRange) { try read(#"{"request":"\#(String(repeating: "a", count: 129))"}"#) }
        #expect(throws: InputError.invalidVehicleID) { try read("{}", of: String(repeating: "a", count: 65)) }
        for id in ["a1", nil] {
            let request = ForgetRequest(vehicle: vehicle, id: id)
            #expect(try ForgetRequest(vehicle: "T42", payload: request.payload) == request)
        }
    }

    @Test("An answer says what was removed, that nothing was known, or why nothing was done")
    func answers() {
        func text(_ request: String?, _ outcome: ForgetAnswer.Outcome) -> String {
            let message = ForgetAnswer(vehicle: "T42", request: request, outcome).encoded(on: topics)
            #expect(message.topic == "acme/headroom/forget/T42/result" && !message.retain)
            return String(decoding: message.payload, as: UTF8.self)
        }
        let removed = ForgetAnswer.Removed(
            state: true, history: 12, positions: 3, unsent: 2, inputs: 1, untaken: 4, phones: 5)
        #expect(
            text("a1", .forgotten(removed))
                == #"{"status":"forgotten","removed":{"state":true,"history":12,"positions":3,"unsent":2,"inputs":1,"untaken":4,"phones":5},"request":"a1"}"#
        )
        #expect(text(nil, .unknown) == #"{"status":"unknown","request":null}"#)
        #expect(
            text("a1", .failed(reason: "wrong-type")) == #"{"status":"failed","reason":"wrong-type","request":"a1"}"#)
    }

    @Test("Forgetting takes back what stands about a vehicle, and leaves its consent; consent takes back less")
    func withdrawals() throws {
        let address = VehicleAddress(vehicle: try #require(VehicleID("T42")), levels: ["north"])
        let encoder = WireEncoder(pattern: try TopicPattern("acme/{region}/{v}"))
        func topicSuffixes(_ topicSuffixes: [TopicSuffix]) -> [String] {
            encoder.withdrawals(address, topicSuffixes).map { message in
                #expect(message.retain && message.payload.isEmpty && message.topic.hasPrefix("acme/north/T42/"))
                return String(message.topic.dropFirst("acme/north/T42/".count))
            }
        }
        #expect(topicSuffixes(TopicSuffix.withdrawnWithConsent) == ["state", "regions", "tracking"])
        #expect(
            topicSuffixes(TopicSuffix.withdrawnByForgetting) == [
                "state", "regions", "tracking", "handling", "profile", "route", "presence",
            ])
        #expect(encoder.withdrawals(VehicleAddress(vehicle: address.vehicle), [.state]).isEmpty)
    }
}
