import Fleet
import Geo
import Messages

@testable import Wire

/// A layout of each kind, and good payloads of it.
enum LayoutExamples {
    static let truck = VehicleID("T42")!

    static let plain = MappedLayout(
        fields: [
            .lat: .pointer(JSONPointer("/p/0/lat")!), .lon: .pointer(JSONPointer("/p/0/lon")!),
            .time: .pointer(JSONPointer("/t")!), .speed: .pointer(JSONPointer("/s")!),
            .course: .pointer(JSONPointer("/c")!), .accuracy: .pointer(JSONPointer("/acc")!),
            .altitude: .pointer(JSONPointer("/alt")!),
        ])

    static let batch = MappedLayout(
        each: JSONPointer("/data/points")!,
        fields: [
            .lat: .pointer(JSONPointer("/lat")!, unit: .degrees7),
            .lon: .pointer(JSONPointer("/lon")!, unit: .degrees7),
            .time: .pointer(JSONPointer("/at")!, unit: .milliseconds),
            .speed: .pointer(JSONPointer("/v")!, unit: .knots),
            .course: .pointer(JSONPointer("/c")!, unit: .radians),
            .altitude: .pointer(JSONPointer("/ft")!, unit: .feet),
            .accuracy: .constant(12),
        ])

    /// Latitude and longitude, and more, in one text.
    static let joined = MappedLayout(
        fields: [
            .lat: .pointer(JSONPointer("/at")!, part: 0), .lon: .pointer(JSONPointer("/at")!, part: 1),
            .time: .pointer(JSONPointer("/when")!, unit: .milliseconds),
            .speed: .pointer(JSONPointer("/at")!, unit: .kilometresPerHour, part: 4),
            .course: .pointer(JSONPointer("/at")!, part: 2), .altitude: .pointer(JSONPointer("/at")!, part: 3),
            .accuracy: .pointer(JSONPointer("/acc")!),
        ])

    /// Where the vehicle stands in those.
    static func vehicle(of layout: InputLayout) -> VehicleTemplate? {
        switch layout {
        case .mapped(plain): VehicleTemplate(JSONPointer("/id")!)
        case .mapped(batch): VehicleTemplate(JSONPointer("/unit/id")!)
        case .mapped: try? VehicleTemplate("{/fleet}{/id}")
        case .headroom, .ownTracks, .traccar: nil
        }
    }

    static func input(_ layout: InputLayout) -> FleetInput {
        guard let topic = try? InputTopic(layout == .ownTracks ? "in/{v}" : "in/put") else {
            preconditionFailure("The topic of an example is none")
        }
        return FleetInput(topic: topic, layout: layout, vehicle: vehicle(of: layout))
    }

    static let layouts: [(name: String, layout: InputLayout)] = [
        ("headroom", .headroom), ("owntracks", .ownTracks), ("traccar", .traccar), ("mapped", .mapped(plain)),
        ("batch", .mapped(batch)), ("joined", .mapped(joined)),
    ]

    /// What each layout reads as one fix at 42.5, -83.5.
    static let payloads: [(layout: InputLayout, payload: String)] = [
        (.headroom, #"{"vehicle":"T42","lat":42.5,"lon":-83.5,"time":"2026-11-21T14:03:22.500Z","speed":17.2}"#),
        (
            .headroom,
            #"[{"vehicle":"T42","lat":42.5,"lon":-83.5,"time":1795269895,"trigger":"enter","region":"é\u00e9"}]"#
        ),
        (
            .ownTracks,
            #"{"_type":"location","lat":42.5,"lon":-83.5,"tst":1795269895,"acc":5,"vel":72,"cog":271,"t":"t"}"#
        ),
        (
            .ownTracks,
            #"{"_type":"transition","lat":42.5,"lon":-83.5,"tst":1795269895,"acc":5,"event":"enter","desc":"depot-7"}"#
        ),
        (
            .traccar,
            #"""
            {"position":{"id":1,"attributes":{"ignition":true},"protocol":"osmand","fixTime":"2026-11-21T14:03:22.500+0000",
            "outdated":false,"valid":true,"latitude":42.5,"longitude":-83.5,"altitude":256,"speed":33.4,"course":271.5,
            "accuracy":0.0},"device":{"id":7,"uniqueId":"T42","name":"Truck 42","status":"online"}}
            """#
        ),
        (
            .mapped(plain),
            #"{"id":"T42","p":[{"lat":42.5,"lon":"-83.5"}],"t":1795269895.5,"s":20,"c":90,"acc":5,"alt":null}"#
        ),
        (
            .mapped(batch),
            #"""
            {"unit":{"id":42},"data":{"points":[{"lat":425000000,"lon":-835000000,"at":1795269895500,"v":10,"c":1.5,"ft":840}]}}
            """#
        ),
    ]

    static func decode(_ payload: [UInt8], _ layout: InputLayout, retained: Bool = false) -> [DecodedMessage] {
        decoder(layout).decode(topic: "in/put", payload: payload, retained: retained, receivedAt: Arrival.time)
    }

    /// Listens on `in/put`; OwnTracks, which has its vehicles in topics, on `in/{v}`.
    static func decoder(_ layout: InputLayout) -> WireDecoder { WireDecoder(inputs: [input(layout)]) }
}
