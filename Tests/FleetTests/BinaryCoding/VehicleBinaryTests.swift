import BinaryCoding
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
struct VehicleBinaryTests {
    /// What is found again after a start, or may begin anew.
    private static let unkept: Set = [
        "candidate", "progress", "vainPlace", "vainDistance", "basis", "borderFree", "route", "ways", "surroundings",
    ]

    /// A truck with all that the engine can know of one, at every tenth second of some trips.
    static let vehicles: [Vehicle] = {
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
        var draw = TripSampler(town.network, seed: 3)
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

    private static let vehicleValues = vehicles.map { values(of: $0) }

    /// Every value in it by the names on the way to it, but for those that are not kept.
    private static func values(
        of value: Any, besides unkept: Set<String> = unkept, at path: String = ""
    ) -> [String] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
            return mirror.children.flatMap { values(of: $0.value, besides: unkept, at: path) }.sorted()
        }
        guard !mirror.children.isEmpty else { return ["\(path) = \(value)"] }
        return mirror.children.filter { !unkept.contains($0.label ?? "") }
            .flatMap { values(of: $0.value, besides: unkept, at: "\(path).\($0.label ?? "")") }
    }

    @Test("All of a vehicle is kept, but for what is found again")
    func everything() throws {
        for (vehicle, values) in zip(Self.vehicles, Self.vehicleValues) {
            #expect(Self.values(of: try Vehicle(encoded: vehicle.encoded())) == values)
        }
    }

    @Test("A vehicle that has forgotten what is derived is as it is read, but for its route's ways")
    func derived() throws {
        for vehicle in Self.vehicles {
            var stored = vehicle
            stored.forgetDerived()
            let read = try Vehicle(encoded: vehicle.encoded())
            let ways: Set = ["route", "ways"]
            #expect(Self.values(of: stored, besides: ways) == Self.values(of: read, besides: ways))
        }
    }

    @Test(
        "There was something of most kinds to forget",
        arguments: ["candidate", "progress", "vainPlace", "basis", "borderFree", "surroundings"])
    func derivedKinds(member: String) {
        #expect(
            Self.vehicles.contains { vehicle in
                Self.values(of: vehicle, besides: []).contains { $0.contains(".\(member).some") }
            })
    }

    @Test(
        "There was something of every kind to keep",
        arguments: [
            ".address.device.some", ".profile.some.validFor.some", ".consent.some.isInUse", ".presence.some",
            ".lastFix.some.region.some", ".course.some", ".gaps", ".roads..probability", ".matchedAt.some",
            ".ordered.waiting..altitude.some", ".fences.borders..since.some", ".fences.followedTo.some",
            ".fences.borders.._evidence.box.some.value.origin",
            ".fences.borders.._evidence.box.some.value.silentUntil.some",
            ".fences.motion.trail..time", ".fences.motion.stand.origin.some",
            ".visits.stayCandidate.parts", ".visits._visit.box.some.value.id",
            ".visits.outlier.some", ".visits.pace.some.interval", ".quiet.quiet.some",
            ".quiet._published.box.some.value.quiet.some", ".regions.regions..kind",
            ".regions.recipient.some._device", ".regions.acknowledged.some", ".alerts..last.detour.some.line",
            ".alerts..subject.entry", ".alerts..toldAt.some", ".published.some.fences",
            ".published.some.fencesAsOf.some", ".published.some.alerts..chain",
        ])
    func kinds(path: String) {
        #expect(Self.vehicleValues.contains { $0.contains { $0.hasPrefix(path) } })
    }

    @Test("A silence that a quiet circle allowed is kept with the fix that ended it")
    func silence() throws {
        var ordered = OrderedFixes()
        let fix = Fix(position: Drawing.place(0, 0), time: .at(0))
        let circle = Circle(center: Drawing.place(900, 0), radius: 800)
        #expect(ordered.insert(fix, receivedAt: .at(1), silentIn: circle) == nil)
        #expect(try ordered.roundTripped() == ordered)
    }

    @Test("Bytes that are cut off anywhere, or go on after their end, are an error")
    func cutOff() throws {
        let bytes = try #require(Self.vehicles.max { $0.encoded().count < $1.encoded().count }).encoded()
        for count in bytes.indices {
            #expect(throws: BinaryCodingError.self) { try Vehicle(encoded: Array(bytes[..<count])) }
        }
        #expect(throws: BinaryCodingError.tooLong(offset: bytes.count)) { try Vehicle(encoded: bytes + [0]) }
    }

    @Test("Damaged bytes are an error or another vehicle, and end no gateway", arguments: 1...4 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var errors = 0
        for _ in 0..<2_000 {
            var bytes = Self.vehicles[generator.index(below: Self.vehicles.count)].encoded()
            for _ in 0...generator.index(below: 3) {
                bytes[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
            }
            if (try? Vehicle(encoded: bytes)) == nil { errors += 1 }
        }
        #expect(errors > 100)
    }

    @Test("Bytes of another format are not read", arguments: [[], [0], [1, 0, 0], Array("{}".utf8)])
    func unknownFormat(bytes: [UInt8]) {
        #expect(throws: BinaryCodingError.unknownFormat(bytes.first, expected: Vehicle.binaryFormat)) {
            try Vehicle(encoded: bytes)
        }
    }

    @Test(
        "Whole numbers take as few bytes as they need",
        arguments: [(0, 1), (-1, 1), (63, 1), (64, 2), (.max, 10), (.min, 10)])
    func numbers(number: Int, count: Int) throws {
        #expect(number.encoded.count == count)
        #expect(try number.roundTripped() == number)
    }

    @Test(
        "Why an alert is not raised again is kept",
        arguments: [
            QuietedAlert.Silence.standing, .left(farthest: 340), .none,
            .passed(farthest: 12.5, driven: 30, at: Timestamp(milliseconds: 1000)),
            .turnedOff(farthest: 340, at: Timestamp(milliseconds: 1000)),
        ])
    func silence(silence: QuietedAlert.Silence) throws {
        var vehicle = Vehicle(address: Dispatcher.truck)
        let structure = Coordinate(latitude: 49.4, longitude: 8.6)
        vehicle.quieted = [
            QuietedAlert(
                subject: .straightLine(clearance: "a"), standstill: .placeholder, silence: silence,
                structure: structure)
        ]
        #expect(try Vehicle(encoded: vehicle.encoded()).quieted == vehicle.quieted)
    }

    @Test("What was stored behind a structure without the road driven and the time is read")
    func passedWithoutRoad() throws {
        let silence = try ([1] + Double(12.5).encoded).withUnsafeBytes { bytes in
            var decoder = BinaryDecoder(bytes)
            return try decoder.decode(QuietedAlert.Silence.self)
        }
        #expect(silence == .passed(farthest: 12.5))
    }

    @Test("Gaps between uploads are kept", arguments: [[], [60], [60, 50, 60, 70]] as [[Seconds]])
    func uploadGaps(gaps: [Seconds]) throws {
        var kept = ReportGaps()
        kept.note(upload: nil)
        for gap in gaps { kept.note(upload: gap) }
        kept.note(fix: 10)
        #expect(kept.uploads == Array(gaps.reversed()))
        #expect(try kept.roundTripped() == kept)
    }

    /// Stored vehicles are read by every version with this format.
    @Test("The bytes of format 5 are these")
    func bytes() {
        var vehicle = Vehicle(address: VehicleAddress(vehicle: Dispatcher.truck.vehicle, levels: ["north"]))
        vehicle.consent = Consent(.whenInUse, isInUse: true)
        vehicle.gaps.note(fix: 2.5)
        vehicle.quieted = [
            QuietedAlert(
                subject: .entry(EdgeKey(way: 300, from: -1, to: 2)), standstill: .placeholder,
                silence: .passed(farthest: 12.5, at: Timestamp(milliseconds: 1000)))
        ]
        _ = vehicle.requests.admit(.heightStale, at: Timestamp(milliseconds: 1000))
        _ = vehicle.requests.admit(.consentRequired, at: Timestamp(milliseconds: -3))
        let hex = vehicle.encoded().map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
        #expect(
            hex == """
                050354343201056e6f72746800000000010b7768656e2d696e2d75736501000000000000000000000001000000000000\
                04400000000000000000000001000000000000000000000000000000000000000000000000000000000000000000000000\
                000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
                0000000000000000f07f000100d80401040000000000000000000000000000000005000000000000294000000000000000\
                00d00f00000210636f6e73656e742d7265717569726564050c6865696768742d7374616c65d00f00
                """)
    }
}
