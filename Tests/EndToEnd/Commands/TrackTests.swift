import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Store
import Testing

/// `headroom track`: where a vehicle was, as other programs and `replay` read it.
struct TrackEndToEndTests {
    private static let start = Timestamp(milliseconds: 1_795_269_600_000)
    private let scratch: Scratch
    private let config: String
    private let fixes: [Fix]

    /// A store with one truck's drive to the demo's bridge, and one fix of another.
    init() throws {
        scratch = try Scratch()
        config = try scratch.write(
            """
            store: kept.sqlite
            broker: {url: "mqtt://127.0.0.1:1"}
            privacy: {keep_positions: 1 d}
            """, to: "headroom.yaml")
        fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0))
        let truck = try #require(VehicleID("T42, \"tall\" & <blue>"))
        let other = try #require(VehicleID("T7"))
        let positions =
            fixes.map { TrackPoint(vehicle: truck, fix: $0) } + [TrackPoint(vehicle: other, fix: fixes[0])]
        let store = try Store(path: scratch.path("kept.sqlite"))
        _ = try store.commit(StoreBatch(time: Self.start, positions: positions))
        try store.close()
    }

    private func track(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String) {
        let result = try await run(Repository.program, ["track", "--config", config] + arguments, scratch)
        return (result.status, result.output, result.errors)
    }

    @Test("GeoJSON is a line with a time for each position; of one fix a point")
    func geoJSON() async throws {
        let line = try await track("T42, \"tall\" & <blue>", "--to", "2026-11-21T14:00:10Z")
        #expect(line.status == 0, "\(line.errors)")
        let feature = try #require(try JSONSerialization.jsonObject(with: Data(line.output.utf8)) as? [String: Any])
        let geometry = try #require(feature["geometry"] as? [String: Any])
        let properties = try #require(feature["properties"] as? [String: Any])
        #expect(feature["type"] as? String == "Feature" && geometry["type"] as? String == "LineString")
        #expect((geometry["coordinates"] as? [[Double]])?.count == 10)
        #expect((properties["times"] as? [String])?.first == "2026-11-21T14:00:00.000Z")
        #expect(["times", "speeds", "courses", "accuracies"].allSatisfy { (properties[$0] as? [Any])?.count == 10 })
        #expect(properties["vehicle"] as? String == "T42, \"tall\" & <blue>")
        let point = try await track("T7")
        #expect(point.output.contains(#""type":"Point""#), "\(point)")
    }

    @Test("GPX and CSV are read back by replay, with the same alerts as the drive itself", arguments: ["gpx", "csv"])
    func replay(format: String) async throws {
        let roads = try await demoRoads(scratch)
        func stages(_ trace: String) async throws -> [String] {
            let result = try await run(
                Repository.program, ["replay", "--roads", roads, "--height", "13'6\"", "--vehicle", "T42", trace],
                scratch)
            #expect(result.status == 0 && !result.errors.contains("rejected"), "\(result.errors)")
            return result.output.matches(of: /"stage":"(\w+)"/).map { String($0.1) }
        }
        let written = try await track("T42, \"tall\" & <blue>", "--format", format)
        #expect(written.status == 0, "\(written.errors)")
        let read = try await stages(try scratch.write(written.output, to: "track"))
        let driven = try await stages(try scratch.write(Recording.jsonLines(fixes), to: "drive.jsonl"))
        #expect(Set(read) == Set(driven) && !read.isEmpty)
    }

    @Test("Of a vehicle that was forgotten there is no track, and of the others there is")
    func forgotten() async throws {
        let forgotten = try await run(
            Repository.program, ["forget", "--config", config, "--timeout", "0.5 s", "T7"], scratch)
        #expect(forgotten.output.contains("1 position"), "\(forgotten)")
        let gone = try await track("T7")
        #expect(gone.status == 1 && gone.errors.contains("no position of T7 is stored"))
        #expect(try await track("T42, \"tall\" & <blue>").status == 0)
    }

    @Test("Where nothing is stored it says so, and why; a store that is not there was asked for wrongly")
    func nothing() async throws {
        let unknown = try await track("T9")
        #expect(unknown.status == 1 && unknown.output.isEmpty)
        #expect(unknown.errors.contains("no position of T9 is stored"))
        let early = try await track("T7", "--to", "2026-11-20")
        #expect(early.status == 1 && early.errors.contains("for these times"))
        _ = try scratch.write("store: kept.sqlite\n", to: "headroom.yaml")
        let unkept = try await track("T9")
        #expect(unkept.status == 1 && unkept.errors.contains("privacy.keep_positions is 0"))
        #expect(try await track("--store", scratch.path("none.sqlite"), "T7").status == 2)
        #expect(try await track("--from", "2026-11-22", "--to", "2026-11-21", "T7").status == 2)
        #expect(try await track("--format", "kml", "T7").status == 2)
    }
}
