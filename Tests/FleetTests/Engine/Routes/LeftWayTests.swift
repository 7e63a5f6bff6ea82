import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

@Suite("The first fix beside a known way, which may be off or not, raises no stage by that way")
struct LeftWayTests {
    @Test(
        "Who has turned off before the bridge on his way is not told to leave, nor to stop", arguments: [20.0, 35, 45],
        [true, false])
    func turnsOff(north: Metres, isLine: Bool) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let route: Route = isLine ? .line(try drawing.line("az")) : .waypoints(try drawing.line("z"))
        dispatcher.tell(.route(route), at: -30)
        let places: [(Metres, Metres)] = [
            (2_000, 0), (2_400, 0), (2_800, 0), (3_200, 0), (4_000, north), (4_000, 200),
        ]
        for (index, place) in places.enumerated() {
            let course: Degrees = place.1 > 0 ? 0 : 90
            dispatcher.fix(
                Fix(
                    position: Drawing.place(place.0, place.1), time: .at(30 * Double(index)), accuracy: 5, speed: 13,
                    course: course))
        }
        #expect(dispatcher.stages.first == .ahead && !dispatcher.stages.contains(.detour), "\(dispatcher.log)")
        #expect(!dispatcher.stages.contains(.stop), "\(dispatcher.log)")
    }

    @Test("Who keeps to it is told to leave by the fix after", arguments: [true, false])
    func keepsToIt(isLine: Bool) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let route: Route = isLine ? .line(try drawing.line("az")) : .waypoints(try drawing.line("z"))
        dispatcher.tell(.route(route), at: -30)
        for step in 0...9 {
            // Noise has the last but one on the turn-off.
            let (east, north) = step == 8 ? (3_998.0, 40.0) : (3_020 + 120 * Double(step), 0)
            dispatcher.fix(Fix(position: Drawing.place(east, north), time: .at(10 * Double(step)), accuracy: 5))
        }
        #expect(dispatcher.stages == [.ahead, .detour, .stop], "\(dispatcher.log)")
    }
}
