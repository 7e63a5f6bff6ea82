import Fleet
import Geo
import Messages
import Testing

@testable import Gateway

/// Which reports wait for what the broker retains, and what of it the journal has.
struct HeldReportsTests {
    private static let start = Timestamp(milliseconds: 1_795_266_000_000)

    private func vehicle(_ text: String) throws -> VehicleID { try #require(VehicleID(text)) }

    private func report(_ text: String, second: Int = 0) throws -> Input {
        let time = Self.start.adding(Double(second))
        return .report(.location([]), from: VehicleAddress(vehicle: try vehicle(text)), receivedAt: time)
    }

    /// A report with so many fixes.
    private func upload(_ text: String, of count: Int) throws -> Input {
        let fix = Fix(position: Coordinate(latitude: 42, longitude: -84), time: Self.start, accuracy: 5)
        return .report(
            .location(Array(repeating: fix, count: count)), from: VehicleAddress(vehicle: try vehicle(text)),
            receivedAt: Self.start)
    }

    private func hold(_ report: Input, in held: inout HeldReports) throws {
        let excess = held.hold(report, of: try #require(report.reporter).vehicle)
        #expect(excess == 0)
    }

    /// What a turn leads to in the journal.
    private func record(_ held: inout HeldReports, of isKept: (VehicleID) -> Bool = { _ in true }) -> JournalRecord {
        let new = held.takeUnrecorded(of: isKept)
        return JournalRecord([], Effects(), released: new.released, held: new.held) { _ in false }
    }

    private func releaseAll(_ held: inout HeldReports) -> [Input] {
        held.endWait(of: held.vehicles)
        var released: [Input] = []
        while let inputs = held.releaseNext() { released += inputs }
        return released
    }

    @Test("A journal gives back what is held after each of its records, in the order in which it came")
    func journal() throws {
        var held = HeldReports()
        var journal: [JournalRecord] = []
        func restored() throws -> [Input] {
            let records = try journal.map { try JournalRecord(encoded: $0.encoded()) }
            var restored = HeldReports(records) { _ in true }
            return releaseAll(&restored)
        }
        let (first, second, other) = (try report("A"), try report("A", second: 1), try report("B"))
        let a = try vehicle("A")
        try hold(first, in: &held)
        journal.append(record(&held))
        try hold(second, in: &held)
        try hold(other, in: &held)
        journal.append(record(&held))
        #expect(try restored() == [first, second, other])
        let released = held.release(a)
        #expect(released == [first, second])
        try hold(first, in: &held)
        journal.append(record(&held))
        #expect(try restored() == [first, other], "what was released is judged; what has come since waits")
        let rest = releaseAll(&held)
        #expect(rest == [first, other])
        journal.append(record(&held))
        #expect(try restored().isEmpty)
    }

    @Test("What waits behind fixes is given back behind them, and stands for what was kept of its kind")
    func behindFixes() throws {
        var held = HeldReports()
        let address = VehicleAddress(vehicle: try vehicle("A"))
        let reports: [Report] = [.profile(nil), .route(.waypoints([Coordinate(latitude: 42, longitude: -84)]))]
        let inputs = [try report("A")] + reports.map { .report($0, from: address, receivedAt: Self.start) }
        for input in inputs {
            let excess = held.hold(input, of: address.vehicle)
            #expect(excess == 0)
        }
        let journal = try JournalRecord(encoded: record(&held).encoded())
        var restored = HeldReports([journal]) { _ in true }
        #expect(restored.addresses == [address])
        let kept: [Report] = [.profile(HeightProfile(height: 4)), .route(nil), .presence(.online)]
        let isReplaced = kept.map { restored.hasLater(than: .report($0, from: address, receivedAt: Self.start)) }
        #expect(isReplaced == [true, true, false])
        #expect(releaseAll(&restored) == inputs)
        let besides = held.forget(address.vehicle)
        #expect(besides == Array(inputs.dropFirst()), "a consent that is given again finds them")
    }

    @Test("Who is forgotten while his fixes are to be handed over, and comes back, waits anew")
    func forgottenWhileDue() throws {
        var held = HeldReports()
        try hold(report("A"), in: &held)
        held.endWait(of: [try vehicle("A")])
        held.forget(try vehicle("A"))
        try hold(report("A", second: 1), in: &held)
        #expect(!held.hasDue)
        let released = held.releaseNext()
        #expect(released == nil)
    }

    @Test("What is held and released in one turn leaves no trace in the journal")
    func passing() throws {
        var held = HeldReports()
        try hold(report("A"), in: &held)
        _ = held.release(try vehicle("A"))
        let record = record(&held)
        #expect(record.steps.isEmpty)
    }

    @Test("That a vehicle waits is in the journal before the first of its fixes, and with them until they are released")
    func waiting() throws {
        var held = HeldReports()
        let address = VehicleAddress(vehicle: try vehicle("A"), levels: ["north"])
        held.beginWait(of: address, at: Self.start)
        held.beginWait(of: address, at: Self.start.adding(1))
        let first = try JournalRecord(encoded: record(&held).encoded())
        #expect(first.held.map(\.address) == [address])
        #expect(HeldReports([first]) { _ in true }.addresses == [address])
        try hold(report("A", second: 1), in: &held)
        let second = record(&held)
        #expect(second.held.count == 1)
        var restored = HeldReports([first, second]) { _ in true }
        #expect(releaseAll(&restored).count == 2)
        _ = releaseAll(&held)
        let third = record(&held)
        #expect(HeldReports([first, second, third]) { _ in true }.isEmpty)
    }

    @Test("Vehicles that wait without a fix take no room from the fixes of others")
    func room() throws {
        var held = HeldReports()
        for number in 0..<20_000 {
            held.beginWait(of: VehicleAddress(vehicle: try vehicle("V\(number)")), at: Self.start)
        }
        try hold(upload("A", of: 200_000), in: &held)
    }

    @Test("200,000 fixes are held; who brings one more keeps the newer half of his reports, as far as there is room")
    func full() throws {
        var held = HeldReports()
        for number in 0..<19 { try hold(upload("V\(number)", of: 10_000), in: &held) }
        for _ in 0..<9 { try hold(upload("A", of: 1), in: &held) }
        try hold(upload("B", of: 1), in: &held)
        try hold(upload("C", of: 9_990), in: &held)
        let (a, b, c) = (try vehicle("A"), try vehicle("B"), try vehicle("C"))
        let ofMany = held.hold(try upload("A", of: 1), of: a)
        #expect(ofMany == 5)
        held.endWait(of: a, first: ofMany)
        #expect(held.releaseNext()?.count == 5)
        let ofLarge = held.hold(try upload("B", of: 10), of: b)
        #expect(ofLarge == 2, "one is too few")
        let released = held.release(b, first: ofLarge)
        #expect(released.count == 2 && !held.holds(b) && held.holds(c))
        let rest = held.release(a)
        #expect(rest.count == 5)
    }

    @Test("What stays when older reports are handed over is in the journal, and has waited since the first of all came")
    func older() throws {
        var held = HeldReports()
        let a = try vehicle("A")
        let last = try report("A", second: 3)
        for report in try (0..<3).map({ try report("A", second: $0) }) + [last] { try hold(report, in: &held) }
        var journal = [record(&held)]
        held.endWait(of: a, first: 3)
        #expect(held.releaseNext()?.count == 3)
        journal.append(record(&held))
        var restored = HeldReports(journal) { _ in true }
        let rest = releaseAll(&restored)
        #expect(rest.count == 1 && rest.first == last)
        #expect(held.vehicles(since: Self.start.adding(1)) == [a])
        #expect(releaseAll(&held).count == 1)
        journal.append(record(&held))
        #expect(HeldReports(journal) { _ in true }.isEmpty)
    }

    @Test("Who waits no longer at all hands over everything, also where the older half was to be handed over before")
    func dueTwice() throws {
        var held = HeldReports()
        let a = try vehicle("A")
        for second in 0..<4 { try hold(report("A", second: second), in: &held) }
        held.endWait(of: [a])
        held.endWait(of: a, first: 2)
        #expect(held.releaseNext()?.count == 4)
        #expect(held.releaseNext()?.isEmpty == true)
        #expect(!held.hasDue && held.isEmpty)
    }

    @Test("Nothing of a vehicle that is not kept is written, and nothing of one that is forgotten")
    func unkept() throws {
        var held = HeldReports()
        let (known, unknown) = (try vehicle("A"), try vehicle("B"))
        try hold(report("A"), in: &held)
        try hold(report("B"), in: &held)
        let journal = record(&held) { $0 == known }
        #expect(journal.held.map(\.address.vehicle) == [known])
        #expect(journal.removing { $0 == known }.steps.isEmpty)
        held.forget(known)
        _ = held.release(unknown)
        let later = record(&held)
        #expect(later.steps.isEmpty, "the journal has nothing of either")
        #expect(HeldReports([journal]) { _ in false }.isEmpty)
    }

    @Test("The entry that has a held report is needed until it is released or its vehicle forgotten")
    func needed() throws {
        var unsaved = UnsavedVehicles(interval: 60, countAtOnce: 100)
        let (waiting, moving) = (try vehicle("A"), try vehicle("B"))
        unsaved.note(
            1, at: Self.start, written: [], unsaved: [], removed: [VehicleID](), journal: 10, held: [waiting])
        unsaved.note(2, at: Self.start, written: [], unsaved: [moving], removed: [VehicleID](), journal: 10)
        #expect(unsaved.firstNeeded(besides: [moving], released: []) == 1)
        #expect(unsaved.firstNeeded(besides: [], released: [waiting]) == 2)
        #expect(unsaved.firstNeeded(besides: [moving], released: [waiting]) == nil)
        #expect(!unsaved.hasJournal(before: 1) && unsaved.hasJournal(before: 2))
        unsaved.note(3, at: Self.start, written: [], unsaved: [], removed: [waiting], journal: 0)
        #expect(unsaved.firstNeeded(besides: [], released: []) == 2)
        unsaved.note(
            4, at: Self.start, written: [moving], unsaved: [], removed: [waiting], journal: 10, held: [waiting])
        #expect(unsaved.firstNeeded(besides: [], released: []) == 4, "it was removed, and is back with the same batch")
    }
}
