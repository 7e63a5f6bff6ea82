import Clearances
import Evaluation
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import Testing

@testable import Fleet

/// The promise that rule 2 carries: who was seen before the last turn-off has been told before leaving it.
struct GuaranteeTests {
    /// Round a block and some more.
    private static let roundTheBlock: Seconds = 120

    /// A drive along legal edges, a little slower than is usual on them.
    private struct Drive {
        let network: RoadNetwork
        let edges: [EdgeID]
        let speed: MetresPerSecond = 12

        /// When the end of each edge is reached.
        var times: [Seconds] {
            var metres: Metres = 0
            return edges.map { edge in
                metres += network.length(edge)
                return metres / speed
            }
        }

        func fixes(every: Seconds, isFluent: Bool) -> [Fix] {
            let line = edges.reduce(into: [Coordinate]()) { $0 += network.line($1).dropFirst($0.isEmpty ? 0 : 1) }
            return Journey(line: line, speed: speed, every: every, offset: 1, isFluent: isFluent).fixes
        }
    }

    /// An entry that a drive passes, and when it leaves the last turn-off before it.
    private struct Pass {
        var entry: EdgeKey
        /// What an alert about the entry names: one alert tells of all entries of one structure.
        var clearance: String
        var decidedAt: Seconds
    }

    private func passes(_ drive: Drive, _ table: HazardTable) -> [Pass] {
        let times = drive.times
        return drive.edges.indices.dropFirst().compactMap { index in
            let edge = drive.edges[index]
            guard let hazard = table.entries[edge], !table.tooLow.contains(drive.edges[index - 1]) else { return nil }
            let decision = (0..<index).last { before in
                table.decisions[drive.edges[before], default: []].contains {
                    $0.hazard == hazard && $0.next == drive.edges[before + 1] && $0.detour != nil
                }
            }
            let clearance = drive.network.clearance(table.structure(hazard)).id
            return decision.map {
                Pass(entry: drive.network.key(edge), clearance: clearance, decidedAt: times[$0])
            }
        }
    }

    /// Passes that were seen twice before the decision, and those of them that were not told of by then.
    private func silent(
        _ drive: Drive, _ fixes: [Fix], _ table: HazardTable, _ dispatcher: Dispatcher
    ) -> (seen: Int, silent: [Pass]) {
        var (seen, silent): (Int, [Pass]) = (0, [])
        var open: [(time: Seconds, clearances: Set<String>)] = []
        for fix in fixes {
            dispatcher.fix(fix)
            let alerts = (dispatcher.kept?.alerts ?? []).filter { $0.last.attention == .alarm }
            open.append((fix.time.seconds, Set(alerts.map(\.last.clearance.id))))
        }
        for pass in passes(drive, table) {
            // The first fix is 1 m on the way.
            let before = open.filter { $0.time + 1 / drive.speed < pass.decidedAt }
            guard before.count >= 2, let last = before.last else { continue }
            // Who comes back at once to what he has just passed is told when he comes nearer again.
            let passed = dispatcher.alerts.last { alert in
                alert.stage == .passed && alert.clearance.id == pass.clearance && alert.time.seconds < pass.decidedAt
            }
            if let passed, pass.decidedAt - passed.time.seconds < Self.roundTheBlock { continue }
            seen += 1
            if !last.clearances.contains(pass.clearance) { silent.append(pass) }
        }
        return (seen, silent)
    }

    @Test(
        "On random drives an alert, be it a notice, is open on every fix from the full distance to the last turn-off",
        arguments: [1.0, 5, 10])
    func noticed(every: Seconds) throws {
        // A town is too small for a mile.
        var settings = EngineSettings()
        (settings.alerts.distance, settings.alerts.leadTime) = (300, 0)
        var seen = 0
        for seed in UInt64(1)...8 {
            let town = try GridTown(seed: seed)
            let table = HazardTable(town.network, height: 400)
            var random = SplitMix64(seed: seed &* 7_919)
            for number in 0..<8 {
                let drive = Drive(network: town.network, edges: town.walk(30, &random))
                let dispatcher = Dispatcher(town.network, height: 392, settings: settings)
                var open: [(time: Seconds, clearances: Set<String>)] = []
                for fix in drive.fixes(every: every, isFluent: true) {
                    dispatcher.fix(fix)
                    open.append((fix.time.seconds, Set(dispatcher.kept?.alerts.map(\.last.clearance.id) ?? [])))
                }
                for pass in passes(drive, table) {
                    // Who was told to be clear of it, or has passed it, has no notice before coming nearer again.
                    let isFirst = !dispatcher.alerts.contains {
                        $0.stage.isEnd && $0.clearance.id == pass.clearance && $0.time.seconds < pass.decidedAt
                    }
                    let near = open.dropFirst(2).filter { moment in
                        let rest = pass.decidedAt - 1 / drive.speed - moment.time
                        return rest > 0 && rest * drive.speed <= 300
                    }
                    guard isFirst, !near.isEmpty else { continue }
                    seen += 1
                    let silent = near.filter { !$0.clearances.contains(pass.clearance) }
                    #expect(silent.isEmpty, "town \(seed), truck \(number), \(pass): \(silent.map(\.time))")
                }
            }
        }
        #expect(seen > 30)
    }

    @Test(
        "On 200 random drives every pass that was seen twice before the last turn-off was told of before it",
        arguments: [
            1.0, 5, 10, 30,
        ])
    func told(every: Seconds) throws {
        var seen = 0
        for seed in UInt64(1)...12 {
            let town = try GridTown(seed: seed)
            // 392 cm and three inches.
            let table = HazardTable(town.network, height: 400)
            let engine = Engine(EngineSettings(), network: town.network)
            var random = SplitMix64(seed: seed &* 7_919)
            for number in 0..<10 {
                let drive = Drive(network: town.network, edges: town.walk(30, &random))
                let truck = VehicleAddress(vehicle: try #require(VehicleID("truck-\(number)")))
                let result = silent(
                    drive, drive.fixes(every: every, isFluent: number % 2 == 0), table,
                    Dispatcher(engine, truck: truck, height: 392))
                seen += result.seen
                #expect(result.silent.isEmpty, "town \(seed), truck \(number): \(result.silent)")
            }
        }
        #expect(seen > 100)
    }
}
