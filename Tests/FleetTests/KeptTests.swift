import Evaluation
import FleetTestSupport
import Foundation
import Geo
import Hashing
import Messages
import Roads
import Testing

@testable import Fleet

/// What is kept of a vehicle: all of it, in bytes that other versions read, and nothing that damaged bytes say.
struct KeptTests {
    /// What is found again after a start, or may begin anew.
    private static let unkept: Set = [
        "candidate", "progress", "vainPlace", "vainDistance", "basis", "route", "ways", "searchedAt",
    ]

    /// A truck with all that the engine can know of one, at every tenth second of some trips.
    private static let vehicles: [Vehicle] = {
        do { return try drawn() } catch { fatalError("\(error)") }
    }()

    private static func drawn() throws -> [Vehicle] {
        let town = try QuietTown(seed: 3)
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        let engine = Engine(settings, network: town.network, fences: town.fences)
        engine.prepare()
        let address = VehicleAddress(
            vehicle: Dispatcher.truck.vehicle, levels: ["north"], device: "owntracks/fleet/T42")
        func say(_ report: Report, at time: Timestamp) -> [Vehicle] {
            _ = engine.handle([.report(report, from: address, receivedAt: time)])
            return engine.vehicle(address.vehicle).map { [$0] } ?? []
        }
        let profile = HeightProfile(
            height: 412, margin: 0.1, source: "driver", measuredAt: .at(-90), validFor: 2_000, units: .metric,
            groups: ["quiet"])
        var kept = say(.location([Fix(position: Drawing.place(0, 0), time: .at(-300))]), at: .at(-300))
        kept += say(.profile(profile), at: .at(-60))
        kept += say(.consent(Consent(.whenInUse, isInUse: true)), at: .at(-50)) + say(.presence(.online), at: .at(-40))
        var draw = TripDraw(town.network, seed: 3)
        var start = Timestamp.at(0)
        for number in 0..<4 as Range<UInt64> {
            guard let trip = draw.anywhere(lengthMin: 2_000) else { continue }
            for fix in Drive(trip, Drive.Settings(noise: 8, standing: 400), from: start, seed: number) {
                var fix = fix
                (fix.altitude, fix.trigger, fix.region) = (231.5, .exit, "yard")
                let after = say(.location([fix]), at: fix.time)
                if Int(fix.time.seconds).isMultiple(of: 10) { kept += after }
                start = fix.time.adding(5)
            }
            if let regions = engine.vehicle(address.vehicle)?.published?.regions {
                kept += say(.acknowledgement(.regions(version: regions.version, failed: ["a": "no"])), at: start)
            }
        }
        return kept
    }

    /// Every value in it by the names on the way to it, but for those that are not kept.
    private func values(of value: Any, at path: String = "") -> [String] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
            return mirror.children.flatMap { values(of: $0.value, at: path) }.sorted()
        }
        guard !mirror.children.isEmpty else { return ["\(path) = \(value)"] }
        return mirror.children.filter { !Self.unkept.contains($0.label ?? "") }
            .flatMap { values(of: $0.value, at: "\(path).\($0.label ?? "")") }
    }

    @Test("All of a vehicle is kept, but for what is found again")
    func everything() throws {
        for vehicle in Self.vehicles {
            #expect(values(of: try Vehicle(kept: vehicle.kept)) == values(of: vehicle))
        }
    }

    @Test(
        "There was something of every kind to keep",
        arguments: [
            ".address.device.some", ".profile.some.validFor.some", ".consent.some.isInUse", ".presence.some",
            ".lastFix.some.region.some", ".course.some", ".gaps", ".roads..probability", ".matchedAt.some",
            ".ordered.waiting..altitude.some", ".fences.borders..since.some", ".fences.followedTo.some",
            ".fences.borders..doubt.some.origin", ".fences.borders..doubt.some.silentUntil.some",
            ".fences.motion.trail..time", ".fences.motion.stand.origin.some",
            ".visits.halt.parts", ".visits.visit.some.id",
            ".visits.outlier.some", ".visits.pace.some.interval", ".quiet.quiet.some",
            ".quiet.published.some.quiet.some", ".regions.regions..kind",
            ".regions.told.some.device", ".regions.acknowledged.some", ".alerts..last.detour.some.line",
            ".alerts..subject.entry", ".alerts..toldAt.some", ".published.some.fences",
            ".published.some.fencesAsOf.some", ".published.some.alerts..chain",
        ])
    func kinds(path: String) {
        #expect(Self.vehicles.contains { values(of: $0).contains { $0.hasPrefix(path) } })
    }

    @Test("A silence that a quiet circle allowed is kept with the fix that ended it")
    func silence() throws {
        var ordered = OrderedFixes()
        let fix = Fix(position: Drawing.place(0, 0), time: .at(0))
        let circle = Circle(center: Drawing.place(900, 0), radius: 800)
        #expect(ordered.insert(fix, receivedAt: .at(1), silentIn: circle) == nil)
        #expect(try ordered.keptAndRead() == ordered)
    }

    @Test("Bytes that are cut off anywhere, or go on after their end, are an error")
    func cutOff() throws {
        let bytes = try #require(Self.vehicles.max { $0.kept.count < $1.kept.count }).kept
        for count in bytes.indices { #expect(throws: KeptProblem.self) { try Vehicle(kept: Array(bytes[..<count])) } }
        #expect(throws: KeptProblem.tooLong(offset: bytes.count)) { try Vehicle(kept: bytes + [0]) }
    }

    @Test("Damaged bytes are an error or another vehicle, and end no gateway", arguments: 1...4 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var errors = 0
        for _ in 0..<2_000 {
            var bytes = Self.vehicles[generator.index(below: Self.vehicles.count)].kept
            for _ in 0...generator.index(below: 3) {
                bytes[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
            }
            if (try? Vehicle(kept: bytes)) == nil { errors += 1 }
        }
        #expect(errors > 100)
    }

    @Test("Bytes of another format are not read", arguments: [[], [0], [2, 0, 0], Array("{}".utf8)])
    func unknownFormat(bytes: [UInt8]) {
        #expect(throws: KeptProblem.unknownFormat(bytes.first)) { try Vehicle(kept: bytes) }
    }

    @Test(
        "Whole numbers take as few bytes as they need",
        arguments: [(0, 1), (-1, 1), (63, 1), (64, 2), (.max, 10), (.min, 10)])
    func numbers(number: Int, count: Int) throws {
        #expect(number.keptBytes.count == count + 1)
        #expect(try number.keptAndRead() == number)
    }
}
