import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// The quiet circle among the regions.
struct RegionQuietTests {
    private func dispatcher(_ change: (inout EngineSettings) -> Void = { _ in }) -> Dispatcher {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        settings.regions.limit = 3
        change(&settings)
        let dispatcher = Dispatcher(nil, height: nil, settings: settings, fences: RegionTests.row(5))
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "driver", groups: ["quiet"])), at: -60)
        return dispatcher
    }

    private func stand(_ dispatcher: Dispatcher, _ east: Metres, _ north: Metres, at seconds: Seconds) {
        dispatcher.fix(
            Fix(position: Yard.place(east, north), time: .at(seconds), accuracy: 5, speed: 0))
    }

    @Test("It takes the first of the places, as the device was told it, and leaves it when it is no more")
    func place() throws {
        let dispatcher = dispatcher()
        stand(dispatcher, 2_100, 3_000, at: 0)
        let circle = try #require(dispatcher.trackings.last?.quiet)
        #expect(
            dispatcher.regions.last?.regions.first
                == Region(id: "quiet", circle: circle, kind: .quiet))
        #expect(dispatcher.regions.last?.regions.map(\.id) == ["quiet", "f02", "f03"])

        dispatcher.hear([
            .fences([FenceChange(id: "g", fence: Yard.circle("g", 2_100, 3_100, radius: 50))], at: .at(10))
        ])
        #expect(dispatcher.trackings.last?.quiet == nil)
        #expect(dispatcher.regions.last?.regions.map(\.id) == ["g", "f02", "f03"])
        #expect(dispatcher.regions.last?.removed == ["quiet"])
        #expect(dispatcher.regions.last?.time == .at(10))
    }

    @Test("Another circle is another set, and the device is told to watch it anew")
    func another() throws {
        let dispatcher = dispatcher()
        stand(dispatcher, 2_100, 3_000, at: 0)
        stand(dispatcher, 2_100, 9_000, at: 600)
        #expect(dispatcher.trackings.count == 2)
        #expect(dispatcher.regions.map(\.version) == [1, 2])
        #expect(dispatcher.regions.last?.added == ["quiet"])
        #expect(dispatcher.regions.last?.removed == [])
        #expect(dispatcher.regions.last?.regions.first?.circle == dispatcher.trackings.last?.quiet)
    }

    @Test("One that a device cannot watch, as it is too small, takes no place: a larger one would be left too late")
    func tooSmall() {
        let dispatcher = dispatcher { $0.regions.radiusMin = 5_000 }
        stand(dispatcher, 2_100, 3_000, at: 0)
        #expect(dispatcher.trackings.last?.quiet != nil)
        #expect(dispatcher.regions.last?.regions.map(\.kind) == [.fence, .fence, .fence])
    }

    @Test("A device that does not report by it has none among its regions")
    func untracked() {
        let dispatcher = dispatcher { $0.trackingGroups = [] }
        stand(dispatcher, 2_100, 3_000, at: 0)
        #expect(dispatcher.kept?.quiet.quiet != nil)
        #expect(dispatcher.regions.last?.regions.map(\.id) == ["f02", "f03", "f01"])
    }

    @Test("A quiet vehicle is told of other regions as it moves inside of its circle")
    func moves() {
        let dispatcher = dispatcher { $0.trackingGroups = [] }
        stand(dispatcher, 100, 9_000, at: 0)
        stand(dispatcher, 3_900, 9_000, at: 300)
        #expect(dispatcher.regions.map(\.added) == [["f00", "f01", "f02"], ["f04", "f03"]])
    }
}
