import Fleet
import Foundation
import Gateway
import Geo
import HTTPTypes
import Messages
import Store
import Testing

@testable import Console

@Suite("A vehicle's track over HTTP")
struct VehicleTrackTests {
    /// A vehicle that is known, with so many fixes a second apart in the store.
    private func fixture(
        fixes: Int, authentication: ConsoleSettings.Authentication = .remote
    ) throws -> ConsoleFixture {
        let stage = try Stage(roads: false)
        try stage.fix("T42", 42.28, -83.73)
        try Self.store(stage, (0..<fixes).map(Double.init))
        return try ConsoleFixture(stage, authentication: authentication)
    }

    static func store(_ stage: Stage, _ seconds: [Double]) throws {
        let vehicle = try #require(VehicleID("T42"))
        let positions = seconds.map { second in
            let place = Coordinate(latitude: 42 + second / 1e5, longitude: -83)
            return TrackPoint(
                vehicle: vehicle, fix: Fix(position: place, time: time(second), accuracy: 5, speed: 10.25, course: 0))
        }
        let store = try Store(path: stage.configuration.store)
        _ = try store.commit(StoreBatch(time: time(0), positions: positions))
        try store.close()
    }

    /// 2026-11-21T12:00:00Z and so many seconds.
    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_795_262_400_000).adding(seconds)
    }

    private func times(_ answer: Answer) throws -> [String] {
        try #require((answer.object["properties"] as? [String: Any])?["times"] as? [String])
    }

    @Test("Without times it is all that is stored; with them, what is of the first or later and before the second")
    func range() async throws {
        let fixture = try fixture(fixes: 20)
        let all = try await fixture.get("/api/v1/vehicles/T42/track")
        #expect(all.status == .ok && all.headers[.contentType] == "application/geo+json")
        #expect(try times(all).count == 20)
        let part = try await fixture.get(
            "/api/v1/vehicles/T42/track?from=2026-11-21T12:00:05Z&to=2026-11-21T12:00:07Z")
        #expect(try times(part) == ["2026-11-21T12:00:05.000Z", "2026-11-21T12:00:06.000Z"])
        let none = try await fixture.get("/api/v1/vehicles/T42/track?from=2027-01-01T00:00:00Z")
        #expect(none.status == .ok)
        #expect(try times(none).isEmpty && none.object["geometry"] is NSNull)
    }

    @Test(
        "The format is that of the parameter, else what the client accepts",
        arguments: [
            ("?format=gpx", nil, "application/gpx+xml", "<trkpt lat=\"42.0000000\" lon=\"-83.0000000\">"),
            (
                "?format=csv", "application/gpx+xml", "text/csv",
                "T42,2026-11-21T12:00:01.000Z,42.0000100,-83.0000000,5.0,"
            ),
            ("", "application/gpx+xml", "application/gpx+xml", "<gpxtpx:speed>10.25</gpxtpx:speed>"),
            ("", "text/csv", "text/csv", "vehicle,time,lat,lon,accuracy,speed,course\n"),
            ("", "*/*", "application/geo+json", #""type":"LineString""#),
        ])
    func formats(query: String, accept: String?, type: String, part: String) async throws {
        let headers: HTTPFields = accept.map { [.accept: $0] } ?? [:]
        let answer = try await fixture(fixes: 2).get("/api/v1/vehicles/T42/track\(query)", headers: headers)
        #expect(answer.headers[.contentType] == type)
        #expect(answer.text.contains(part), "\(answer.text)")
    }

    @Test("A track of more fixes than one answer holds is refused with what to do; one of as many is not")
    func limit() async throws {
        let fixture = try fixture(fixes: ConsoleLimits.trackFixes + 1)
        let answer = try await fixture.get("/api/v1/vehicles/T42/track?format=csv")
        #expect(answer.status == .badRequest)
        #expect(try answer.message.contains("narrow from and to"))
        let fewer = try await fixture.get("/api/v1/vehicles/T42/track?format=csv&from=2026-11-21T12:00:01Z")
        #expect(fewer.status == .ok)
    }

    @Test("With a limit it is the first so many fixes, and where the others are; the last part names no other")
    func parts() async throws {
        let fixture = try fixture(fixes: 5)
        var path: String? = "/api/v1/vehicles/T42/track?limit=2&format=csv&to=2026-11-21T12:00:04Z"
        var lines: [Substring] = []
        var answers = 0
        while let next = path {
            let answer = try await fixture.get(next)
            lines += answer.text.split(separator: "\n").dropFirst()
            answers += 1
            let link = try #require(HTTPField.Name("Link"))
            path = answer.headers[link].flatMap { $0.firstMatch(of: /^<(.*)>; rel="next"$/).map { String($0.1) } }
        }
        #expect(
            answers == 2 && lines.map { String($0.prefix(27)) } == (0..<4).map { "T42,2026-11-21T12:00:0\($0).000" })
        #expect(try await fixture.get("/api/v1/vehicles/T42/track?limit=0").status == .badRequest)
    }

    @Test("Of a vehicle that is not known nothing is said, and what is wrong with a question is")
    func refused() async throws {
        let fixture = try fixture(fixes: 2)
        #expect(try await fixture.get("/api/v1/vehicles/T9/track").status == .notFound)
        #expect(try await fixture.get("/api/v1/vehicles/T42/track?format=kml").status == .badRequest)
        #expect(try await fixture.get("/api/v1/vehicles/T42/track?from=noon").status == .badRequest)
    }

    @Test("It is a viewer's to read, and nobody's without a token")
    func tokens() async throws {
        let fixture = try fixture(fixes: 2, authentication: .required)
        let path = "/api/v1/vehicles/T42/track"
        #expect(try await fixture.get(path).status == .unauthorized)
        #expect(try await fixture.get(path, headers: [.authorization: "Bearer view-me"]).status == .ok)
    }
}
