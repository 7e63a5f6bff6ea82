import Clearances
import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// Ids are told apart by their bytes, as the topics that entries stand on are: an ä of one code point and one of two are two.
struct EntrySpellingTests {
    /// In the order of their bytes.
    private static let ids = ["Geba\u{308}ude", "Geb\u{E4}ude"]
    private static let keys = ids.map(BytewiseText.init(_:))

    private func put(_ fences: [Fence]) -> Input {
        .fences(fences.map { FenceChange(id: $0.id, fence: $0) }, at: .at(0))
    }

    @Test("Two fences are in force, after a restart, too; to take one back leaves the other")
    func fences() throws {
        let fences = Self.ids.map { Yard.fence($0) }
        let engine = Engine(EngineSettings(), network: nil)
        let effects = engine.handle([put(fences)])
        #expect(effects.registrations.map(\.$id) == Self.keys)
        #expect(effects.fences.map(\.$id) == Self.keys)
        let again = Engine(EngineSettings(), network: nil)
        again.restore(effects.fences)
        again.restore(put(fences))
        again.prepare()
        for engine in [engine, again] {
            var map = MapSnapshot()
            _ = engine.update(&map)
            #expect(map.fences.keys.sorted() == Self.keys)
            let taken = engine.handle([.fences([FenceChange(id: Self.ids[0], fence: nil)], at: .at(1))])
            #expect(taken.fences.map(\.$id) == [Self.keys[0]])
            _ = engine.update(&map)
            #expect(map.fences.keys.sorted() == [Self.keys[1]])
        }
    }

    @Test("To take back a fence that is not there takes back none that is called nearly so")
    func unknown() {
        let engine = Engine(EngineSettings(), network: nil)
        _ = engine.handle([put([Yard.fence(Self.ids[1])])])
        _ = engine.handle([.fences([FenceChange(id: Self.ids[0], fence: nil)], at: .at(1))])
        var map = MapSnapshot()
        _ = engine.update(&map)
        #expect(map.fences.keys.sorted() == [Self.keys[1]])
    }

    @Test("A vehicle comes into both, is told of both, and its device watches both")
    func vehicle() {
        let dispatcher = Dispatcher(nil, fences: [])
        dispatcher.hear([.fences(Self.ids.map { FenceChange(id: $0, fence: Yard.fence($0)) }, at: .at(-50))])
        for fix in Yard.drive(from: -300, to: 200) { dispatcher.fix(fix) }
        dispatcher.tick(70)
        #expect(dispatcher.events.map(\.event) == [.enter, .enter])
        #expect(dispatcher.events.map(\.$fence) == Self.keys)
        #expect(Set(dispatcher.events.map(\.id)).count == 2)
        #expect(dispatcher.states.last?.fences.map(\.$fence) == Self.keys)
        let regions = dispatcher.regions.last?.regions.filter { $0.kind == .fence } ?? []
        #expect(regions.map(\.$id).sorted() == Self.keys)
    }

    @Test("Two clearances are in force; to take one back leaves the other")
    func clearances() {
        let engine = Engine(EngineSettings(), network: nil)
        let clearances = Self.ids.map { PointClearance(id: $0, position: Drawing.place(0, 0), posted: "3.2") }
        let changes = clearances.map { ClearanceChange(id: $0.id, clearance: $0) }
        #expect(engine.handle([.clearances(changes, at: .at(0))]).registrations.map(\.$id) == Self.keys)
        var map = MapSnapshot()
        _ = engine.update(&map)
        #expect(map.clearances.keys.sorted() == Self.keys)
        _ = engine.handle([.clearances([ClearanceChange(id: Self.ids[0], clearance: nil)], at: .at(1))])
        _ = engine.update(&map)
        #expect(map.clearances.keys.sorted() == [Self.keys[1]])
    }
}
