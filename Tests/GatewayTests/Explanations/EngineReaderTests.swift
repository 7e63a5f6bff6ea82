import Fleet
import Geo
import Messages
import Testing

@testable import Gateway

@Suite("Reading from the engine from other threads")
struct EngineReaderTests {
    private let engine = Engine(EngineSettings(), network: nil)

    @Test("The gateway thread answers what was asked; before it has begun and after it has ended nobody waits")
    func answers() async {
        let reader = EngineReader()
        #expect(await reader.read { $0.vehicleCount } == nil)
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        reader.begin { wake.yield() }
        async let count = reader.read { $0.vehicleCount }
        for await _ in wakes { break }
        reader.answer([engine])
        #expect(await count == 0)
        reader.end()
        #expect(await reader.read { $0.vehicleCount } == nil)
    }

    @Test("A vehicle of another gateway is explained from what that one has told of it", arguments: ["A", "B"])
    func elsewhere(name: String) async throws {
        let (known, asked) = (try #require(VehicleID("A")), try #require(VehicleID(name)))
        let other = Engine(EngineSettings(), network: nil)
        let time = Timestamp(milliseconds: 1_795_266_000_000)
        let fix = Fix(position: Coordinate(latitude: 42.28, longitude: -83.75), time: time, accuracy: 5)
        _ = other.handle([.report(.location([fix]), from: VehicleAddress(vehicle: known), receivedAt: time)])
        let vehicle = try #require(other.vehicle(known))
        let reader = EngineReader()
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        reader.begin { wake.yield() }
        async let found = reader.explanationSource(of: asked)
        for await _ in wakes { break }
        reader.answer([engine]) { $0 == known ? (vehicle: vehicle, route: nil) : nil }
        let (isKnown, source) = try #require(await found)
        #expect(isKnown == (asked == known) && source?.newestFix == (isKnown ? time : nil))
    }

    @Test("Who asks while the engine cannot be read, or when too many wait already, is told so")
    func refused() async {
        let reader = EngineReader()
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        reader.begin { wake.yield() }
        let answers = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<EngineReader.questionsMax { group.addTask { await reader.read { $0.vehicleCount } } }
            var asked = 0
            for await _ in wakes {
                asked += 1
                if asked == EngineReader.questionsMax { break }
            }
            #expect(await reader.read { $0.vehicleCount } == nil)
            reader.answer([])
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == EngineReader.questionsMax && answers.allSatisfy { $0 == nil })
    }
}
