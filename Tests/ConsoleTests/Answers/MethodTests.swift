import Foundation
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Testing

@testable import Console

@Suite("Methods, versions and codings over HTTP")
struct MethodTests {
    @Test(
        "A method that a path does not have is a 405 that says which it has, as OPTIONS does",
        arguments: [
            ("/api/v1/vehicles", "GET, HEAD, OPTIONS"), ("/api/v1/fences/yard", "DELETE, GET, HEAD, OPTIONS, PUT"),
            ("/api/v1/vehicles/T1/profile", "DELETE, OPTIONS, PUT"), ("/assets/console.js", "GET, HEAD, OPTIONS"),
        ])
    func methods(path: String, allow: String) async throws {
        let fixture = try ConsoleFixture()
        let refused = try await fixture.get(path, method: .patch)
        #expect(refused.status == .methodNotAllowed && refused.headers[.allow] == allow, "\(refused.text)")
        let options = try await fixture.get(path, method: .options)
        #expect(options.status == .noContent && options.headers[.allow] == allow)
        #expect(try await fixture.get("/api/v1/nowhere", method: .options).status == .notFound)
    }

    @Test("An error is a problem with title, status and detail")
    func problem() async throws {
        let answer = try await ConsoleFixture().get("/api/v1/vehicles?limit=0")
        #expect(answer.headers[.contentType] == "application/problem+json")
        let object = try answer.object
        #expect(object["status"] as? Int == 400 && object["title"] as? String == "Bad Request")
        #expect(object["detail"] as? String == (try answer.message))
    }

    // MARK: Versions

    /// The gateway of this stage has not begun, so that a change that is let through is answered 503.
    @Test("A change of a version that is none any more is refused, and of the current one it is not")
    func versions() async throws {
        let fixture = try ConsoleFixture(Stage(fences: [.circle("yard", 42, -83)]))
        let tag = try #require(try await fixture.get("/api/v1/fences/yard").headers[.eTag])
        let other = try await fixture.get("/api/v1/fences/yard?format=geojson").headers[.eTag]
        let body =
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"radius": 9}}"#
        func put(_ headers: HTTPFields, id: String = "yard") async throws -> Int {
            try await fixture.put("/api/v1/fences/\(id)", body, headers: headers)
        }
        #expect(try await put([.ifMatch: tag]) == 503)
        #expect(try await put([.ifMatch: try #require(other)]) == 503)
        #expect(try await put([.ifMatch: "*"]) == 503)
        #expect(try await put([.ifMatch: "\"0-0\""]) == 412)
        #expect(try await put([.ifMatch: tag], id: "none") == 412)
        #expect(try await put([.ifNoneMatch: "*"]) == 412)
        #expect(try await put([.ifNoneMatch: "*"], id: "none") == 503)
        for current in [tag, "W/\(tag)", "\"0-0\", \(tag)"] {
            #expect(try await put([.ifNoneMatch: current]) == 412, "\(current)")
        }
        #expect(try await put([.ifNoneMatch: "\"0-0\""]) == 503)
        let answer = try await fixture.get(
            "/api/v1/fences/yard", method: .put, headers: [.ifNoneMatch: "*"], body: body)
        #expect(try answer.message.hasPrefix("It exists already"))
    }

    @Test(
        "The tag of a vehicle without a profile, or without a route, lets one be entered until there is one",
        arguments: [
            ("", "profile", #"{"height": "13'6\""}"#, Report.profile(HeightProfile(height: 412))),
            (
                "/route", "route", #"{"waypoints": [[-83.7545, 42.2807]]}"#,
                Report.route(.waypoints([Coordinate(latitude: 42.28, longitude: -83.75)]))
            ),
        ])
    func versionOfNone(path: String, input: String, body: String, report: Report) async throws {
        let stage = try Stage(roads: false)
        try stage.fix("T1", 42, -83)
        let fixture = try ConsoleFixture(stage)
        let tag = try #require(try await fixture.get("/api/v1/vehicles/T1\(path)").headers[.eTag])
        func put(_ headers: HTTPFields) async throws -> Int {
            try await fixture.put("/api/v1/vehicles/T1/\(input)", body, headers: headers)
        }
        #expect(try await put([.ifMatch: tag]) == 503)
        #expect(try await put([.ifMatch: "*"]) == 412)
        try stage.report(report, from: "T1")
        #expect(try await put([.ifMatch: tag]) == 412)
        #expect(try await put([.ifMatch: "*"]) == 503)
    }

    @Test("The version of a fence is the same whoever is inside, and another one when it is changed")
    func sameVersion() async throws {
        let stage = try Stage(roads: false)
        let fixture = try ConsoleFixture(stage)
        func version() async throws -> Substring? {
            try await fixture.get("/api/v1/fences/yard").headers[.eTag]?.split(separator: "-").first
        }
        try stage.take([.fences([.init(id: "yard", fence: .circle("yard", 42, -83))], at: stage.now)])
        let first = try #require(try await version())
        for _ in 0..<3 { try stage.fix("T1", 42, -83, after: 5) }
        #expect(try await fixture.get("/api/v1/fences/yard").object["inside"] as? Int == 1)
        #expect(try await version() == first)
        try stage.take([.fences([.init(id: "yard", fence: .circle("yard", 42, -83, radius: 300))], at: stage.now)])
        #expect(try await version() != first)
    }

    // MARK: Codings

    @Test("A long list is compressed for who takes that, with a tag of its own; a short one is not")
    func compression() async throws {
        let stage = try Stage(roads: false)
        for number in 1...40 { try stage.fix("T\(number)", 42, -83) }
        let fixture = try ConsoleFixture(stage)
        let plain = try await fixture.get("/api/v1/vehicles")
        #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept, Accept-Encoding")
        let packed = try await fixture.get("/api/v1/vehicles", headers: [.acceptEncoding: "br;q=1.0, gzip;q=0.8"])
        #expect(packed.headers[.contentEncoding] == "gzip" && packed.bytes.prefix(2) == [0x1F, 0x8B])
        #expect(packed.bytes.count * 5 < plain.bytes.count, "\(packed.bytes.count) of \(plain.bytes.count)")
        #expect(packed.headers[.eTag]?.hasSuffix("+gzip\"") == true)
        for refusing in ["identity", "gzip;q=0", "gzip;q=0.0, br", "gzip;q=0, *", "*, gzip;q=0", "*;q=0"] {
            let answer = try await fixture.get("/api/v1/vehicles", headers: [.acceptEncoding: refusing])
            #expect(answer.headers[.contentEncoding] == nil, "\(refusing)")
        }
        for accepting in ["*", "gzip, *;q=0", "br, *;q=0.5"] {
            let answer = try await fixture.get("/api/v1/vehicles", headers: [.acceptEncoding: accepting])
            #expect(answer.headers[.contentEncoding] == "gzip", "\(accepting)")
        }
        let short = try await fixture.get("/api/v1/vehicles?limit=1", headers: [.acceptEncoding: "gzip"])
        #expect(short.headers[.contentEncoding] == nil)
    }

    @Test("What is compressed is unpacked to the same bytes")
    func unpacked() throws {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        let packed = try #require(Gzip.compressed(bytes))
        let file = FileManager.default.temporaryDirectory.appending(path: "packed-\(UUID().uuidString)")
        try Data(packed).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let unpacked = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(Array(unpacked) == bytes)
    }
}
