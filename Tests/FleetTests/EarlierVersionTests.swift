import FleetTestSupport
import Foundation
import Geo
import Roads
import Testing

@testable import Fleet

/// What earlier versions kept of a vehicle is taken up: its height and its open alert, where it was and what it was told.
///
/// All texts are of a truck 120 s into its journey along `Drawing.bridge`, with one alert open.
struct EarlierVersionTests {
    static let alert = """
        {"certainty":"Likely","chain":["osm:way:1003"],"clearance":{"height":320,"id":"osm:way:1003",\
        "name":"Main Street","position":{"latitude":42,"longitude":-83.9478581},"posted":"10'6\\"","source":"osm",\
        "verdict":"too-low"},"detour":{"distance":1793.0,"extra":599.97,"length":1299.96,"line":[],\
        "position":{"latitude":42,"longitude":-83.9517204},"turnOnto":"Bypass Road"},"distance":2092.9,"eta":104.6,\
        "expiresAt":1795270310000,"heightSource":"driver","id":"541ecdccd156bf94","margin":0.0762,"sequence":1,\
        "severity":"Severe","sideRoad":false,"stage":"ahead","text":"Low bridge","time":1795269710000,\
        "urgency":"Expected","vehicle":"T42","vehicleHeight":412}
        """

    /// Before fences: no consent, no guidance, no order of fixes; `subject` is how an alert says what it is about.
    static func kept(_ subject: String = entry) -> String {
        """
        {"address":{"levels":[],"vehicle":"T42"},"alerts":[{\(subject),"last":\(alert),"wentUnder":false}],\
        "firstFix":1795269600000,"gaps":[10,10],"isClockSkewed":false,"isPositionStale":false,\
        "lastFix":{"accuracy":5,"course":90,"position":{"latitude":42,"longitude":-83.9709477625318},"speed":20,\
        "time":1795269720000,"trigger":"interval"},"matchedAt":{"latitude":42,"longitude":-83.9709477625318},\
        "outliers":0,"profile":{"groups":[],"height":412,"source":"driver"},"profileSince":1795269540000,\
        "published":{"alerts":[\(alert)],"blind":[],"height":412,"heightSource":"driver","heightStatus":"ok",\
        "id":"8be4f5475da81a4e","lastFix":1795269710000,"sequence":4,"time":1795269710000},\
        "requests":["height-required",1795269630000],\
        "roads":[{"key":{"from":1,"to":2,"way":1001},"offset":2407.0,"probability":0.999}],"speed":20}
        """
    }

    static let entry = #""entry":{"from":3,"to":4,"way":1003}"#

    @Test(
        "A vehicle kept before there were fences",
        arguments: [entry, entry + #","kind":"too-low""#, entry + #","kind":"unknown""#])
    func decoded(subject: String) throws {
        let vehicle = try JSONDecoder().decode(Vehicle.self, from: Data(Self.kept(subject).utf8))
        #expect(vehicle.profile == HeightProfile(height: 412, source: "driver"))
        #expect(vehicle.profileSince == .at(-60))
        let key = EdgeKey(way: 1003, from: 3, to: 4)
        #expect(vehicle.alerts.map(\.subject) == [subject.contains("unknown") ? .unknownEntry(key) : .entry(key)])
        #expect(vehicle.alerts.map(\.id) == ["541ecdccd156bf94"])
        #expect(vehicle.published?.alerts == vehicle.alerts.map(\.last))
        #expect(vehicle.published?.sequence == 4 && vehicle.published?.consent == .always)
        #expect(vehicle.requests == [.heightRequired: .at(30)])
        #expect(vehicle.address == VehicleAddress(vehicle: try #require(VehicleID("T42"))))
        #expect(vehicle.lastFix?.time == .at(120) && vehicle.roads.count == 1)
    }

    @Test("Its alert goes on through the stages that are left, under the id it has")
    func goesOn() throws {
        let drawing = try Drawing.bridge()
        let engine = Engine(EngineSettings(), network: drawing.network, fences: [Yard.fence])
        engine.restore(try JSONDecoder().decode(Vehicle.self, from: Data(Self.kept(Self.entry).utf8)))
        engine.prepare()
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
        for fix in Journey(line: try drawing.line("az")).fixes.dropFirst(13) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.detour, .stop, .passed])
        #expect(Set(dispatcher.alerts.map(\.id)) == ["541ecdccd156bf94"])
        #expect(dispatcher.states.first?.sequence == 5)
        #expect(dispatcher.fenceLog == [])
    }

    @Test("It is kept in today's form from then on")
    func again() throws {
        let earlier = try JSONDecoder().decode(Vehicle.self, from: Data(Self.kept(Self.entry).utf8))
        #expect(try earlier.keptAndRead().kept == earlier.kept)
    }

    @Test("A vehicle that was kept before there were regions has been sent none")
    func regions() throws {
        let earlier = try JSONDecoder().decode(Vehicle.self, from: Data(Self.kept(Self.entry).utf8))
        #expect(earlier.regions == RegionStanding())
    }
}
