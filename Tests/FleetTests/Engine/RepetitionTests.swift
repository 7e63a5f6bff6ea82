import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What the journal holds is done again some time after it was first done.
struct RepetitionTests {
    private static let truck = Dispatcher.truck
    private static let end: Seconds = 170

    /// A truck on its way to a bridge of 3.20 m, of which it is told some 50 s before the end, where it is too tall.
    private struct Drive {
        let network: RoadNetwork
        let live: Engine
        /// Before its first fix.
        let stored: Vehicle
        private(set) var records: [JournalRecord] = []
        private(set) var alerts: [AlertMessage] = []

        init(margin: Metres) throws {
            let drawing = try Drawing.bridge()
            network = drawing.network
            live = RepetitionTests.engine(network, margin: margin)
            let profile = Report.profile(HeightProfile(height: 300, source: "driver"))
            _ = live.handle([.report(profile, from: RepetitionTests.truck, receivedAt: .at(-60))])
            stored = try #require(live.vehicle(RepetitionTests.truck.vehicle)).roundTripped()
            for fix in Journey(line: try drawing.line("az"), every: 5).fixes where fix.time <= .at(RepetitionTests.end)
            {
                let inputs: [Input] = [
                    .tick(fix.time), .report(.location([fix]), from: RepetitionTests.truck, receivedAt: fix.time),
                ]
                let effects = live.handle(inputs)
                records.append(JournalRecord(inputs, effects, of: { _ in true }))
                alerts += RepetitionTests.alerts(effects)
            }
        }

        /// Does all again after a start.
        func repeated(margin: Metres, after wait: Seconds) throws -> (engine: Engine, effects: [Effects]) {
            let engine = RepetitionTests.engine(network, margin: margin)
            engine.restore(stored)
            engine.prepare()
            let published = Set(records.flatMap(\.published))
            let now = Timestamp.at(RepetitionTests.end + wait)
            return (
                engine,
                records.map { engine.replay($0, published: published, at: now, besides: { _ in false }) }
            )
        }
    }

    private static func engine(_ network: RoadNetwork, margin: Metres) -> Engine {
        var settings = EngineSettings()
        settings.heights.margin = margin
        return Engine(settings, network: network)
    }

    private static func alerts(_ effects: Effects) -> [AlertMessage] {
        effects.envelopes.compactMap { if case .alert(let alert) = $0.message { alert } else { nil } }
    }

    @Test("By a height that is too tall only now, no alert begins by a position that is more than 60 s old by now")
    func old() throws {
        let drive = try Drive(margin: 0)
        #expect(drive.alerts.isEmpty)
        let (engine, effects) = try drive.repeated(margin: 0.6, after: 75)
        #expect(effects.flatMap(Self.alerts).isEmpty)
        #expect(engine.vehicle(Self.truck.vehicle)?.alerts.isEmpty == true)
        #expect(engine.vehicle(Self.truck.vehicle)?.published?.alerts.isEmpty != false)
    }

    @Test("It begins by one that is newer, and is open as it was told")
    func new() throws {
        let (engine, effects) = try Drive(margin: 0).repeated(margin: 0.6, after: 20)
        let alerts = effects.flatMap(Self.alerts)
        let first = try #require(alerts.first)
        #expect(first.sequence == 1 && first.time > .at(Self.end + 20 - 60))
        let open = try #require(engine.vehicle(Self.truck.vehicle)?.alerts)
        #expect(!open.isEmpty && open.allSatisfy { alerts.contains($0.last) })
    }

    @Test(
        "What was told then is open again, and follows once more, however long ago it was",
        arguments: [20.0, 75, 100_000])
    func unchanged(wait: Seconds) throws {
        let drive = try Drive(margin: 0.6)
        #expect(!drive.alerts.isEmpty)
        let (engine, effects) = try drive.repeated(margin: 0.6, after: wait)
        #expect(effects.flatMap(Self.alerts) == drive.alerts)
        let (again, live) = (engine.vehicle(Self.truck.vehicle), drive.live.vehicle(Self.truck.vehicle))
        #expect(again?.alerts.map(\.last) == live?.alerts.map(\.last) && again?.alerts.isEmpty == false)
    }
}
