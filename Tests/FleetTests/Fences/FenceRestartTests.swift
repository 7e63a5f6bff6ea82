import FleetTestSupport
import func Foundation.atan2
import func Foundation.cos
import func Foundation.sin
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// A gateway that is stopped and started again anywhere says of fences exactly what it would have said.
struct FenceRestartTests {
    /// In by ten metres a second, a dwell, a stand of a minute 2 m outside of the far border, a stay at the depot, off, silent.
    /// Fixes come up to 9 s late.
    private static let inputs: [Input] = {
        let drive = Yard.drive(from: -300, to: 402, every: 2)
        let stand = stride(from: 72.0, through: 130, by: 2).map {
            Yard.fix(402 + ($0 / 2).truncatingRemainder(dividingBy: 3), at: $0)
        }
        let on = Yard.drive(from: 410, to: 1800, every: 2, at: 132)
        let stay = stride(from: 272.0, through: 600, by: 12).map { Yard.fix(1800, at: $0) }
        let off = Yard.drive(from: 1800, to: 2000, every: 2, at: 602)
        var random = SplitMix64(seed: 7)
        let fixes = (drive + stand + on + stay + off).map { fix in
            let late = fix.time.adding((9 * random.fraction()).rounded())
            return (input: Input.report(.location([fix]), from: Dispatcher.truck, receivedAt: late), at: late)
        }
        let ticks = stride(from: 3.0, through: 750, by: 7).map { (input: Input.tick(.at($0)), at: Timestamp.at($0)) }
        let sorted = (fixes + ticks).sorted { $0.at < $1.at }.map(\.input)
        return Array(sorted.prefix(40)) + [.fences(changed, at: .at(45))] + sorted.dropFirst(40)
    }()
    private static let files = [
        Yard.fence("yard") { ($0.dwell, $0.hysteresis) = (30, 4) },
        Yard.circle("depot", 1800, 200, radius: 150),
    ]
    private static let topics = [
        FenceChange(id: "street", fence: Yard.circle("street", 700, 200, radius: 100)),
        FenceChange(id: "far", fence: Yard.circle("far", 9_000, 200, radius: 100)),
    ]
    private static let changed = [
        FenceChange(id: "street", fence: Yard.circle("street", 900, 200, radius: 100)),
        FenceChange(id: "far", fence: nil),
    ]

    /// A gateway with what it keeps.
    private struct Gateway {
        private(set) var engine: Engine
        private(set) var fences: [String: KeptFence] = [:]
        private var topics: [String: Fence] = [:]
        private(set) var envelopes: [Envelope] = []

        private let settings: EngineSettings

        init(files: [Fence], determined: EngineSettings.Determined = .inside) {
            var settings = EngineSettings()
            settings.determined = determined
            self.settings = settings
            engine = Engine(settings, network: nil, fences: files)
        }

        mutating func hear(_ input: Input) {
            if case .fences(let changes, _) = input { for change in changes { topics[change.id] = change.fence } }
            let effects = engine.handle([input])
            envelopes += effects.envelopes
            for fence in effects.fences { fences[fence.id] = fence.serial == nil ? nil : fence }
        }

        mutating func restart(files: [Fence]) throws {
            let kept = try engine.vehicle(Dispatcher.truck.vehicle)?.roundTripped()
            engine = Engine(settings, network: nil, fences: files)
            engine.restore(fences.values.sorted { $0.id < $1.id })
            if let kept { engine.restore(kept) }
            let changes = topics.values.sorted { $0.id < $1.id }.map { FenceChange(id: $0.id, fence: $0) }
            engine.restore(.fences(changes, at: .at(0)))
            engine.prepare()
        }

        var events: [FenceEventMessage] {
            envelopes.compactMap { if case .event(let event) = $0.message { event } else { nil } }
        }
        var log: [String] { events.map { "\($0.event.rawValue) \($0.fence)" } }
        var stays: [String] { engine.vehicle(Dispatcher.truck.vehicle)?.fences.stays.map(\.fence) ?? [] }

        mutating func fix(_ east: Metres, at seconds: Seconds) {
            hear(.report(.location([Yard.fix(east, at: seconds)]), from: Dispatcher.truck, receivedAt: .at(seconds)))
            hear(.tick(.at(seconds + 13)))
        }
    }

    private func said(cuts: Set<Int>, determined: EngineSettings.Determined = .inside) throws -> [Envelope] {
        var gateway = Gateway(files: Self.files, determined: determined)
        gateway.hear(.fences(Self.topics, at: .at(-100)))
        for (index, input) in Self.inputs.enumerated() {
            if cuts.contains(index) { try gateway.restart(files: Self.files) }
            gateway.hear(input)
        }
        return gateway.envelopes
    }

    @Test("The timeline: determined, in, dwell, out after a doubt, in, a visit, out while silent")
    func whole() throws {
        let whole = try said(cuts: [], determined: .all)
        let events = whole.compactMap { if case .event(let event) = $0.message { event } else { nil } }
        #expect(
            events.map { "\($0.event.rawValue) \($0.fence)" } == [
                "determined depot", "determined far", "determined street", "determined yard", "enter yard",
                "determined street", "dwell yard", "exit yard", "enter street", "exit street", "enter depot",
                "exit depot",
            ])
        #expect(whole.count { if case .visit = $0.message { true } else { false } } == 2)
        let quieter = try said(cuts: []).compactMap { if case .event(let event) = $0.message { event } else { nil } }
        #expect(quieter == events.filter { $0.event != .determined })
    }

    @Test("Stopped before every single input: the same messages", arguments: EngineSettings.Determined.allCases)
    func everywhere(determined: EngineSettings.Determined) throws {
        let cuts = Set(Self.inputs.indices)
        #expect(try said(cuts: cuts, determined: determined) == said(cuts: [], determined: determined))
    }

    @Test(
        "Stopped once, anywhere: the same messages", arguments: 0..<8 as Range<Int>, EngineSettings.Determined.allCases)
    func anywhere(part: Int, determined: EngineSettings.Determined) throws {
        let whole = try said(cuts: [], determined: determined)
        for cut in stride(from: part, to: Self.inputs.count, by: 8) {
            #expect(try said(cuts: [cut], determined: determined) == whole, "restart before input \(cut)")
        }
    }

    /// A drive in bends and with stands among many circles, some of which come into force and go out of it on the way.
    private static func events(seed: UInt64, isRestarted: Bool) throws -> [FenceEventMessage] {
        var random = SplitMix64(seed: seed)
        let files = (0..<50).map { index in
            var fence = Yard.circle(
                "\(index)", 2_000 * random.fraction(), 2_000 * random.fraction(), radius: 20 + 300 * random.fraction())
            fence.hysteresis = index.isMultiple(of: 3) ? 20 : 0
            fence.validFrom = index.isMultiple(of: 4) ? .at(10 * Double(index)) : nil
            fence.validUntil = index.isMultiple(of: 5) ? .at(100 + 5 * Double(index)) : nil
            return fence
        }
        var gateway = Gateway(files: files)
        var (east, north, course) = (1_000.0, 1_000.0, 0.0)
        for second in 0..<600 {
            let speed = second % 200 < 150 ? 15.0 : 0
            course += (random.fraction() - 0.5) / 2
            let isOutside = ![east, north].allSatisfy { (0...2_000).contains($0) }
            if isOutside { course = atan2(1_000 - north, 1_000 - east) }
            (east, north) = (east + speed * cos(course), north + speed * sin(course))
            let fix = Yard.fix(east + 4 * random.fraction(), north + 4 * random.fraction(), at: Double(second))
            if isRestarted { try gateway.restart(files: files) }
            gateway.hear(.report(.location([fix]), from: Dispatcher.truck, receivedAt: fix.time))
            gateway.hear(.tick(fix.time))
        }
        return gateway.events
    }

    @Test(
        "Among many fences, too: what earlier fixes have shown of where no border is changes nothing",
        arguments: 1...4 as ClosedRange<UInt64>)
    func many(seed: UInt64) throws {
        let events = try Self.events(seed: seed, isRestarted: false)
        #expect(try Self.events(seed: seed, isRestarted: true) == events)
        #expect(events.count > 20)
    }

    @Test(
        "What falls due in a fence, of a file or of a topic, falls due after a restart without a fix",
        arguments: [true, false])
    func due(isFile: Bool) throws {
        let fence = Yard.fence("yard") { $0.dwell = 30 }
        var gateway = Gateway(files: isFile ? [fence] : [])
        if !isFile { gateway.hear(.fences([FenceChange(id: "yard", fence: fence)], at: .at(-20))) }
        gateway.fix(-100, at: 0)
        gateway.fix(200, at: 30)
        try gateway.restart(files: isFile ? [fence] : [])
        gateway.hear(.tick(.at(62)))
        #expect(gateway.log == ["enter yard", "dwell yard"])
    }

    // MARK: Files that changed meanwhile

    @Test("A file's fence that was not edited, but for its name, is not determined again; one that was is")
    func edited() throws {
        var gateway = Gateway(files: [Yard.fence, Yard.fence("other")])
        gateway.fix(200, at: 0)
        try gateway.restart(files: [Yard.fence { $0.name = "Renamed" }, Yard.fence("other") { $0.hysteresis = 5 }])
        #expect(gateway.stays == ["yard"])
        gateway.fix(200, at: 60)
        #expect(gateway.log == ["determined other", "determined yard", "determined other"])
        #expect(gateway.stays == ["other", "yard"])
    }

    @Test("A file's fence that is gone ends its state, without an exit, and is determined when it is back")
    func gone() throws {
        var gateway = Gateway(files: [Yard.fence])
        gateway.fix(200, at: 0)
        try gateway.restart(files: [])
        #expect(gateway.stays == [])
        gateway.fix(900, at: 60)
        #expect(gateway.fences.keys.filter { !$0.isEmpty } == [])
        try gateway.restart(files: [Yard.fence])
        gateway.fix(200, at: 120)
        #expect(gateway.log == ["determined yard", "determined yard"])
    }

    @Test("The youngest fence is taken back, the gateway restarts, a new fence comes: it is determined, not entered")
    func reused() throws {
        var gateway = Gateway(files: [])
        gateway.hear(.fences([FenceChange(id: "a", fence: Yard.circle("a", 5_000, 0, radius: 100))], at: .at(-20)))
        gateway.hear(.fences([FenceChange(id: "b", fence: Yard.circle("b", 6_000, 0, radius: 100))], at: .at(-20)))
        gateway.fix(200, at: 0)
        gateway.hear(.fences([FenceChange(id: "b", fence: nil)], at: .at(20)))
        try gateway.restart(files: [])
        gateway.hear(.fences([FenceChange(id: "yard", fence: Yard.fence)], at: .at(40)))
        gateway.fix(200, at: 60)
        gateway.fix(200, at: 120)
        #expect(gateway.log == ["determined yard"])
    }

    @Test("The same where the truck is silent between two restarts")
    func reusedTwice() throws {
        var gateway = Gateway(files: [])
        gateway.hear(.fences([FenceChange(id: "a", fence: Yard.circle("a", 5_000, 0, radius: 100))], at: .at(-20)))
        gateway.fix(200, at: 0)
        gateway.hear(.fences([FenceChange(id: "a", fence: nil)], at: .at(20)))
        try gateway.restart(files: [])
        gateway.hear(.fences([FenceChange(id: "yard", fence: Yard.fence)], at: .at(40)))
        try gateway.restart(files: [])
        gateway.fix(200, at: 60)
        #expect(gateway.log == ["determined yard"])
    }

    @Test("The same with files: the youngest is gone and another new over the restart")
    func exchanged() throws {
        var gateway = Gateway(files: [Yard.circle("a", 5_000, 0, radius: 100), Yard.circle("b", 6_000, 0, radius: 100)])
        gateway.fix(200, at: 0)
        try gateway.restart(files: [Yard.circle("a", 5_000, 0, radius: 100), Yard.fence])
        gateway.fix(200, at: 60)
        #expect(gateway.log == ["determined yard"])
    }
}
