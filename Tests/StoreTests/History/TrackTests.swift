import Fleet
import Foundation
import Geo
import GRDB
import Messages
import Store
import Testing

/// Positions of vehicles, for as long as they are to be kept.
@Suite(.eachDatabase) struct TrackTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func point(_ vehicle: String = "A", at minutes: Double, latitude: Double = 49) -> TrackPoint {
        TrackPoint(
            vehicle: VehicleID(vehicle)!,
            fix: Fix(position: Coordinate(latitude: latitude, longitude: 8.5), time: minute(minutes)))
    }

    private func track(
        _ vehicle: String = "A", from: Timestamp? = nil, to: Timestamp? = nil, limit: Int = 7
    ) throws -> [Fix] {
        let reader = try StoreReader(place.location)
        var fixes: [Fix] = []
        var cursor: TrackCursor?
        repeat {
            let page = try reader.track(of: VehicleID(vehicle)!, from: from, to: to, limit: limit, after: cursor)
            #expect(page.fixes.count <= limit)
            fixes += page.fixes
            cursor = page.next
        } while cursor != nil
        return fixes
    }

    private func times(_ fixes: [Fix]) -> [Double] { fixes.map { $0.time.since(noon) / 60 } }

    // MARK: Keeping and reading

    @Test("A fix comes back to a centimetre and a decimetre, without what was not said and why it was sent")
    func precision() throws {
        let whole = Fix(
            position: Coordinate(latitude: -42.280_597_14, longitude: 179.999_999_96), time: noon, accuracy: 4.96,
            speed: 17.206, course: 271.46, altitude: -12.34, trigger: .enter, region: "depot")
        let bare = Fix(position: Coordinate(latitude: 0.5, longitude: -0.000_000_1), time: minute(1))
        _ = try store.commit(
            StoreBatch(time: noon, positions: [whole, bare].map { TrackPoint(vehicle: VehicleID("A")!, fix: $0) }))
        let kept = try track()
        #expect(
            kept == [
                Fix(
                    position: Coordinate(latitude: -42.280_597_1, longitude: 180), time: noon, accuracy: 5,
                    speed: 17.21, course: 271.5, altitude: -12.3),
                bare,
            ])
    }

    @Test("A number that no whole one can hold is kept as 0, and loses no other")
    func absurd() throws {
        let fix = Fix(
            position: Coordinate(latitude: 1, longitude: 2), time: noon, speed: .greatestFiniteMagnitude, altitude: 3)
        _ = try store.commit(StoreBatch(time: noon, positions: [TrackPoint(vehicle: VehicleID("A")!, fix: fix)]))
        #expect(try track().map(\.speed) == [0])
        #expect(try track().map(\.altitude) == [3])
    }

    @Test("Pages of any size hold one vehicle's fixes once, by time, however they came", arguments: [1, 7, 19, 20, 21])
    func pages(limit: Int) throws {
        var random = SystemRandomNumberGenerator()
        let points = (0..<20).flatMap { [point("A", at: Double($0)), point("B", at: Double($0))] }
        _ = try store.commit(StoreBatch(time: noon, positions: points.shuffled(using: &random)))
        #expect(times(try track("A", limit: limit)) == (0..<20).map(Double.init))
        #expect(try track("C").isEmpty)
    }

    @Test("Times select, the beginning included and the end not")
    func selection() throws {
        _ = try store.commit(StoreBatch(time: noon, positions: (0..<20).map { point(at: Double($0)) }))
        #expect(times(try track(from: minute(5), to: minute(8))) == [5, 6, 7])
        #expect(times(try track(from: minute(18))) == [18, 19])
        #expect(times(try track(to: minute(2), limit: 1)) == [0, 1])
    }

    @Test("A cursor is a text that goes on after fixes before it were removed; another text is none")
    func cursor() throws {
        _ = try store.commit(StoreBatch(time: noon, positions: (0..<20).map { point(at: Double($0)) }))
        let reader = try StoreReader(place.location)
        let vehicle = VehicleID("A")!
        let text = try #require(try reader.track(of: vehicle, limit: 10).next).description
        _ = try store.commit(StoreBatch(time: noon, positionsBefore: minute(12)))
        let rest = try reader.track(of: vehicle, limit: 100, after: TrackCursor(text))
        #expect(times(rest.fixes) == (12..<20).map(Double.init) && rest.next == nil)
        #expect(TrackCursor("") == nil && TrackCursor("1.2") == nil && TrackCursor("\(Int64.max)") != nil)
        #expect(try reader.track(of: vehicle, limit: 1, after: TrackCursor("\(Int64.max)")).fixes.isEmpty)
    }

    @Test("A fix that comes twice is kept once, as it came first")
    func repeats() throws {
        _ = try store.commit(StoreBatch(time: noon, positions: [point(at: 0), point(at: 0, latitude: 50)]))
        _ = try store.commit(StoreBatch(time: noon, positions: [point(at: 0, latitude: 51), point(at: 1)]))
        #expect(try track().map(\.position.latitude) == [49, 49])
    }

    @Test("A page is found by its key: nothing is sorted, nothing is scanned")
    func plan() throws {
        guard place.isFile else { return }
        let sql = """
            SELECT time, latitude FROM position WHERE track = (SELECT number FROM track WHERE vehicle = 'A')
            AND time >= 0 AND time > 0 AND time < 9 ORDER BY time LIMIT 10
            """
        let plan = try place.outside {
            try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN " + sql).map { row in row["detail"] as String }
        }
        #expect(plan[0].hasPrefix("SEARCH position USING PRIMARY KEY (track=? AND time>? AND time<?)"))
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") })
    }

    // MARK: Letting go

    @Test(
        "The purge takes the oldest of all vehicles, a limited number a batch, and nothing of the time itself or later")
    func purge() throws {
        try store.close()
        var limits = StoreLimits()
        limits.positionPurge = 10
        let store = try place.open(limits: limits)
        _ = try store.commit(
            StoreBatch(
                time: noon, positions: (0..<15).flatMap { [point("A", at: Double($0)), point("B", at: Double($0))] }))
        for left in [20, 10, 6, 6] {
            _ = try store.commit(StoreBatch(time: noon, positionsBefore: minute(12)))
            #expect(try track("A").count + track("B").count == left)
        }
        #expect(times(try track("A")) == [12, 13, 14])
    }

    @Test("A fleet that sends more than the purge's limit is purged as fast as it sends")
    func keepsUp() throws {
        try store.close()
        var limits = StoreLimits()
        limits.positionPurge = 10
        let store = try place.open(limits: limits)
        for round in 0..<20 {
            let points = (0..<50).map { point(at: Double(round * 50 + $0)) }
            _ = try store.commit(
                StoreBatch(time: noon, positions: points, positionsBefore: minute(Double(round * 50 - 100))))
        }
        #expect(try track(limit: 1000).count == 150)
    }

    @Test("With the last of its positions a vehicle's name is gone from the tracks")
    func names() throws {
        _ = try store.commit(
            StoreBatch(time: noon, positions: [point("A", at: 0), point("A", at: 9), point("B", at: 1)]))
        _ = try store.commit(StoreBatch(time: noon, positionsBefore: minute(5)))
        #expect(try place.outsideCount("track") == 1)
        _ = try store.commit(StoreBatch(time: noon, positions: [point("B", at: 10)]))
        #expect(times(try track("B")) == [10])
    }

    @Test("All tracks go where none are to be kept any more, and their names leave the file")
    func all() throws {
        try store.removeTracks()
        _ = try store.commit(
            StoreBatch(time: noon, positions: (0..<50).flatMap { [point("SECRET-7", at: Double($0)), point(at: 1)] }))
        try store.removeTracks()
        #expect(try track("SECRET-7").isEmpty && track().isEmpty)
        guard place.isFile else { return }
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)).range(of: Data("SECRET-7".utf8)) == nil)
        #expect(store.isRewriteDue)
    }

    @Test("A removed vehicle loses its track, and others keep theirs; what it sends in the same batch is kept")
    func removal() throws {
        _ = try store.commit(
            StoreBatch(
                time: noon, positions: (0..<50).flatMap { [point("A", at: Double($0)), point("B", at: Double($0))] }))
        _ = try store.commit(
            StoreBatch(time: noon, removed: [VehicleID("A")!], positions: [point("A", at: 99)]))
        #expect(times(try track("A")) == [99])
        #expect(try track("B").count == 50)
        #expect(try place.outsideCount("position") == 51)
    }
}
