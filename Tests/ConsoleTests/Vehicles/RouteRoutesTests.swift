import Fleet
import Foundation
import Geo
import HTTPTypes
import Messages
import Testing

@testable import Console
@testable import Gateway

@Suite("Where a vehicle is bound, over HTTP")
struct RouteRoutesTests {
    private let stage: Stage
    private let fixture: ConsoleFixture
    private let path = "/api/v1/vehicles/T1/route"
    private let beyondTheBridge = Coordinate(latitude: 42.28061, longitude: -83.7523)

    init() throws {
        stage = try Stage()
        fixture = try ConsoleFixture(stage)
        try stage.tellHeight("T1")
        try stage.driveTo("T1", seconds: 10)
    }

    @Test(
        "A destination is shown with what is too low on the way, the way itself, and one without; another one with its own"
    )
    func check() async throws {
        #expect(try await fixture.get("/api/v1/vehicles/nobody/route").status == .notFound)
        #expect((try await fixture.get(path).object["waypoints"] as? [Any])?.isEmpty == true)
        try stage.report(.route(.waypoints([beyondTheBridge])), from: "T1")
        let route = try await fixture.get(path).object
        #expect(route["waypoints"] as? [[Double]] == [[-83.7523, 42.28061]])
        let check = try #require(route["check"] as? [String: Any])
        #expect((check["clearances"] as? [[String: Any]])?.first?["posted"] as? String == "10'6\"", "\(check)")
        #expect(check["line"] is [String: Any] && check["safe_line"] is [String: Any])

        let back = Coordinate(latitude: 42.2803, longitude: -83.7374)
        try stage.report(.route(.waypoints([back])), from: "T1")
        let other = try #require(try await fixture.get(path).object["check"] as? [String: Any])
        #expect(other["id"] as? String != check["id"] as? String)
        try stage.report(.route(nil), from: "T1")
        #expect((try await fixture.get(path).object["waypoints"] as? [Any])?.isEmpty == true)
    }

    @Test(
        "A route along a line is shown as the Feature that it may be written as; one that is not checked, without an answer"
    )
    func line() async throws {
        try stage.report(.route(.line([beyondTheBridge, Coordinate(latitude: 42.29, longitude: -83.75)])), from: "T9")
        let route = try await fixture.get("/api/v1/vehicles/T9/route").object
        #expect((route["geometry"] as? [String: Any])?["type"] as? String == "LineString")
    }

    @Test("An answer that is not at hand any more, as after a restart, is worked out again from where the vehicle is")
    func checkedAgain() async throws {
        try stage.report(.route(.waypoints([beyondTheBridge])), from: "T1")
        let published = try #require(try await fixture.get(path).object["check"] as? [String: Any])
        let others = (0...LiveMessages.countMax).map { _ in (LiveMessage.Kind.event, VehicleID("T2")!, [UInt8]()) }
        stage.say(others.map { (kind: $0.0, vehicle: $0.1, payload: $0.2) })
        let again = try #require(try await fixture.get(path).object["check"] as? [String: Any])
        for member in ["id", "clearances", "line", "safe_line", "text"] {
            let (first, second) = (published[member] as? NSObject, again[member] as? NSObject)
            #expect(first != nil && first == second, "\(member)")
        }
    }

    @Test("What is no route is refused with what is expected; a change of what is not there any more is refused too")
    func refused() async throws {
        for body in ["{}", #"{"waypoints": []}"#, #"{"waypoints": [[200, 1]]}"#, #"{"type": "Point"}"#, "x"] {
            #expect(try await fixture.put(path, body) == 422, "\(body)")
        }
        let body = #"{"waypoints": [[-83.7545, 42.2807]]}"#
        #expect(try await fixture.put(path, body, headers: [.ifMatch: "\"1-2\""]) == 412)
        // Nobody publishes here.
        #expect(try await fixture.put(path, body) == 503)
    }
}
