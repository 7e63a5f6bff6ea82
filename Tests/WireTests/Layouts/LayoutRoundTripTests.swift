import Fleet
import Geo
import Hashing
import Messages
import Testing

@testable import Wire

/// What is written in a layout and read back is the same fix: to a centimetre, a millisecond and a tenth of a metre a second.
@Suite struct LayoutRoundTripTests {
    private static func random(_ random: inout SplitMix64) -> Fix {
        let maybe = { (range: ClosedRange<Double>, random: inout SplitMix64) -> Double? in
            Bool.random(using: &random) ? Double.random(in: range, using: &random) : nil
        }
        return Fix(
            position: Coordinate(
                latitude: Double.random(in: -89.9...89.9, using: &random),
                longitude: Double.random(in: -179.9...179.9, using: &random)),
            time: Timestamp(milliseconds: Int64.random(in: 1...4_102_444_800_000, using: &random)),
            accuracy: maybe(0.01...5000, &random), speed: maybe(0...80, &random), course: maybe(0...359.9, &random),
            altitude: maybe(-400...8000, &random))
    }

    @Test("10,000 fixes in every layout and back", arguments: LayoutExamples.layouts.indices)
    func roundTrip(index: Int) throws {
        let (name, layout) = LayoutExamples.layouts[index]
        let input = LayoutExamples.input(layout)
        let decoder = LayoutExamples.decoder(layout)
        var random = SplitMix64(seed: 20_261_121)
        for _ in 0..<10_000 {
            let fix = Self.random(&random)
            let (topic, payload) = try #require(input.published(fix, of: LayoutExamples.truck, other: "x"))
            let decoded = decoder.decode(topic: topic, payload: payload, retained: false, receivedAt: Arrival.time)
            let back = try #require(decoded.first?.fixes.first, "\(name): \(String(decoding: payload, as: UTF8.self))")
            #expect(decoded.map(\.address?.vehicle) == [LayoutExamples.truck])
            #expect(fix.position.distance(to: back.position) < 0.01)
            #expect(abs(fix.time.since(back.time)) <= 0.001)
            Self.compare(fix, back, name)
        }
    }

    /// Traccar has no word for what is not known but 0; a constant is a constant.
    private static func compare(_ fix: Fix, _ back: Fix, _ name: String) {
        let unknown = name == "traccar" ? 0.0 : nil
        #expect(isSame(fix.speed ?? unknown, back.speed, within: 0.1))
        #expect(isSame(fix.altitude ?? unknown, back.altitude, within: 0.1))
        #expect(isSame(fix.course ?? unknown, back.course, within: 0.01))
        #expect(isSame(name == "batch" ? 12 : fix.accuracy, back.accuracy, within: 0.01))
    }

    private static func isSame(_ a: Double?, _ b: Double?, within tolerance: Double) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return abs(a - b) <= tolerance
    }

    @Test(
        "A region that woke the device comes back in the layouts that know it",
        arguments: [InputLayout.headroom, .ownTracks])
    func region(layout: InputLayout) {
        for (id, trigger) in [("osm:way:4711", Fix.Trigger.enter), ("nbi:54|1", .exit), ("depot-7", .exit)] {
            let fix = Fix(
                position: Coordinate(latitude: 1, longitude: 2), time: Arrival.time, trigger: trigger,
                region: RegionKey(id))
            let back = WireDecoder().decode(
                layout.encoded(fix, of: LayoutExamples.truck, in: id), layout: layout, of: LayoutExamples.truck,
                receivedAt: Arrival.time)
            #expect(back.fixes == [fix])
        }
    }
}
