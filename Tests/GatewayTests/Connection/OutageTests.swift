import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Testing

@testable import Gateway

/// A time in which nothing can arrive is none for the vehicles: what was sent meanwhile leads to what it would have led to.
struct OutageTests {
    /// How the gateway loses the broker, or itself.
    enum Outage: CaseIterable {
        /// The broker stands still, and nobody notices.
        case silence
        case lostConnection
        /// The gateway is killed, and started again once it is over.
        case kill
    }

    private static let seconds = 420
    /// The first second in which nothing arrives.
    private static let start = 150

    private static let setting: [Script.Message] = {
        var messages = [(0, "60"), (1, "20"), (2, "10"), (3, "30")].map { number, dwell in
            Script.fence(
                "yard-\(number)", east: 700 + 900 * Metres(number), #", "dwell": "\#(dwell) s", "hysteresis": "10 m""#)
        }
        messages.append(
            Script.Message(
                topic: "headroom/clearances/survey-12",
                payload: #"""
                    {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(Script.pair(4_600, 0))}, "properties":
                     {"clearance": "10'6\"", "name": "W Washington St", "detours": [\#(Script.pair(4_100, 0))]}}
                    """#, isRetained: true))
        return messages
    }()

    /// Twelve trucks, each at its own pace, that drive to and fro through the yards and on to the bridge; and as many that
    /// come out of a yard again and again, for less than `fixes.hysteresis_time`.
    private static let fixes: [[Script.Message]] = {
        var seconds = Array(repeating: [Script.Message](), count: Self.seconds)
        for number in 0..<24 {
            var random = SplitMix64(seed: 7, stream: number)
            let journey = Journey(
                line: stations(number).map { Drawing.place($0, Metres(number % 3) * 5) },
                speed: 12 + Double(random.index(below: 10)), every: 1 + Double(random.index(below: 5)),
                start: Double(number) * 3, offset: Double(random.index(below: 300)))
            for fix in journey.fixes where fix.time < .at(Seconds(Self.seconds)) {
                seconds[Int(fix.time.seconds)].append(Script.location("T\(number)", fix))
            }
        }
        return seconds
    }()

    /// Metres east.
    private static func stations(_ number: Int) -> [Metres] {
        guard number >= 12 else { return [0, 2_200 + 300 * Metres(number % 5), 400, 5_600] }
        let yard = 700 + 900 * Metres(number % 4)
        let stretch: [Metres] = [yard, yard + 230 + 3 * Metres(number)]
        return Array(repeating: stretch, count: 20).flatMap(\.self)
    }

    /// - Parameter length: in seconds.
    /// - Returns: ids and sequences of all that was said, with what it was; but states.
    private func keys(_ outage: Outage?, length: Int) throws -> Set<String> {
        let run = try PipelineRun()
        try run.go(Self.setting, at: .at(-10), passes: 8)
        for second in 0..<(Self.seconds + 60) {
            let isAway = outage != nil && (Self.start..<(Self.start + length)).contains(second)
            if second == Self.start, outage == .lostConnection { run.connection.lose() }
            if second == Self.start + length, outage == .kill { try run.kill() }
            run.broker.isAway = isAway
            run.connection.messagesAtOnce = 10
            let messages = second < Self.seconds ? Self.fixes[second] : []
            // Five passes a second, or none of a gateway that is not there.
            if isAway, outage == .kill {
                for message in messages { run.broker.publish(message.topic, message.payload) }
            } else {
                for part in 0..<5 {
                    try run.go(
                        part == 0 ? messages : [], at: .at(Seconds(second) + 0.2 + 0.2 * Seconds(part)), passes: 1)
                }
            }
        }
        return Set(
            try run.broker.published.filter { !$0.retain && $0.topic.hasPrefix("fleet/") }.map { publication in
                let payload = try #require(
                    try JSONSerialization.jsonObject(with: Data(publication.payload)) as? [String: Any])
                let kind = payload["stage"] ?? payload["event"] ?? payload["phase"] ?? payload["kind"] ?? ""
                return "\(publication.topic) \(kind) \(payload["id"] ?? "") \(payload["sequence"] ?? 1)"
            })
    }

    @Test("The same fixes give the same keys with an outage as without", arguments: Outage.allCases)
    func sameKeys(outage: Outage) throws {
        let whole = try keys(nil, length: 0)
        for word in [" ahead ", " stop ", " enter ", " exit ", " dwell ", " determined ", " height-required "] {
            #expect(whole.contains { $0.contains(word) }, "\(word)")
        }
        // Whose connection is refused finds a broker that is back within another eight seconds.
        let cut = try keys(outage, length: outage == .lostConnection ? 45 : 55)
        #expect(whole.subtracting(cut).sorted() == [])
        #expect(cut.subtracting(whole).sorted() == [])
    }

    @Test("Of a longer outage only the alerts differ: none is raised by a fix that is older than a minute")
    func longer() throws {
        let (whole, cut) = (try keys(nil, length: 0), try keys(.silence, length: 200))
        func others(_ keys: Set<String>) -> [String] { keys.filter { !$0.contains("/alert ") }.sorted() }
        #expect(others(cut) == others(whole))
        #expect(cut.count < whole.count)
    }
}
