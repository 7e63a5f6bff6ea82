import FleetTestSupport
import Foundation
import FoundationXML
import Geo
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// All strategies on the same trips.
struct TrackingComparisonTests {
    private func comparison(_ trips: Int, seed: UInt64 = 1, _ change: (inout TrackingPlan) -> Void = { _ in }) throws
        -> TrackingComparison
    {
        var plan = TrackingPlan(
            EvaluationPlan(),
            [.continuous(interval: 10), .significantChange, .fenceOnly, .quietCircle(interval: 1)])
        (plan.trips.natural, plan.trips.passing, plan.trips.noise, plan.trips.seed) = (trips, 0, 3, seed)
        change(&plan)
        let town = try QuietTown(seed: seed)
        return TrackingComparison(
            town.network, height: 380, settings: QuietTown.settings, fences: town.fences, plan: plan)
    }

    private func accounts(_ comparison: TrackingComparison, _ numbers: some Sequence<Int>) -> [TrackingAccount] {
        var worker = TrackingWorker(comparison)
        return numbers.compactMap { worker.account(ofTrip: $0) }
    }

    @Test(
        "Ten trips by quiet circle: nothing is missed, nothing made up, nothing more than a second off",
        arguments: [3, 4, 6, 7] as [UInt64])
    func quietCircle(seed: UInt64) throws {
        let comparison = try comparison(10, seed: seed) { $0.strategies = [.quietCircle(interval: 1)] }
        let sum = comparison.sum(accounts(comparison, 0..<10))
        let quiet = try #require(sum.strategies.first)
        // Else there was nothing to miss, or nothing was saved.
        #expect(sum.truth.alerts.happened > 3)
        #expect(sum.truth.fenceEvents.happened > 10)
        #expect(quiet.messages * 10 < sum.truth.messages * 9)
        #expect(quiet.gpsSeconds < sum.truth.gpsSeconds)
        for (told, truth) in [(quiet.alerts, sum.truth.alerts), (quiet.fenceEvents, sum.truth.fenceEvents)] {
            #expect(told.happened == truth.happened)
            #expect(told.missedOn == [])
            #expect(told.unfounded == 0)
            #expect(told.delays.allSatisfy { $0.magnitude <= 1 })
        }
    }

    @Test("Two workers that share the trips in any way bring the result of one")
    func workers() throws {
        let comparison = try comparison(4) {
            ($0.trips.gaps, $0.trips.outliers, $0.shortBackground, $0.endings) = (0.01, 0.01, 0.3, 0.3)
        }
        let alone = comparison.sum(accounts(comparison, 0..<4))
        let shared = comparison.sum(accounts(comparison, [3, 0]) + accounts(comparison, [2, 1]))
        #expect(alone == shared)
        #expect(alone.trips == 4)
        #expect(alone.strategies.map(\.strategy) == ["continuous", "significant-change", "fence-only", "quiet-circle"])
        #expect(alone.strategies.allSatisfy { $0.messages > 0 && $0.joules > 0 })
    }

    @Test("Every second is a second of the drive, with a fix where one was received")
    func seconds() throws {
        let comparison = try comparison(1) { $0.trips.gaps = 0.02 }
        let line = [Drawing.place(0, 0), Drawing.place(3000, 0)]
        let trip = try #require(Trip(line: line, speed: 20))
        let drive = comparison.plan.drive(trip, number: 0)
        let seconds = drive.seconds
        #expect(Seconds(seconds.count) == (drive.duration + 120).rounded(.up) + 1)
        #expect(seconds.compactMap(\.fix) == Array(drive))
        #expect(seconds.contains { $0.fix == nil })
        #expect(seconds.indices.allSatisfy { seconds[$0].time == drive.start.adding(Seconds($0)) })
        #expect(seconds[100].place.distance(to: Drawing.place(2000, 0)) < 0.01)
    }

    @Test("For whom a fence is and when does not count: simulated trucks are of no group, their trips on no date")
    func fences() throws {
        let fence = Yard.fence("yard") { ($0.groups, $0.validUntil, $0.dwell) = (["midwest"], .at(0), 60) }
        let comparison = TrackingComparison(
            try QuietTown(seed: 1).network, height: 380, settings: QuietTown.settings, fences: [fence],
            plan: TrackingPlan(EvaluationPlan(), []))
        #expect(comparison.fences == [Yard.fence("yard") { $0.dwell = 60 }])
    }

    @Test("Drawn fences: equal seeds give equal circles on roads of 100 to 400 m, every third with dwell")
    func drawnFences() throws {
        let network = try QuietTown(seed: 1).network
        let fences = FenceSampler.circles(30, network, seed: 5)
        #expect(fences == FenceSampler.circles(30, network, seed: 5))
        #expect(fences != FenceSampler.circles(30, network, seed: 6))
        let ids = Set(fences.map(\.id))
        #expect(ids.count == 30)
        #expect(fences.count { $0.dwell != nil } == 10)
        for fence in fences {
            guard case .circle(let circle) = fence.shape else { continue }
            #expect((100...400).contains(circle.radius))
            #expect(network.edges(within: 1, of: circle.center).count > 0)
        }
    }

    @Test("The table has a row for each strategy, the plot a mark and words for each")
    func report() throws {
        let comparison = try comparison(2) { $0.strategies.append(.quietCircle(interval: 10)) }
        let sum = comparison.sum(accounts(comparison, 0..<2))
        let rows = [
            "continuous, 1 s", "continuous, 10 s", "significant-change", "fence-only", "quiet-circle, 1 s",
            "quiet-circle, 10 s",
        ]
        let text = TrackingReport(sum, fences: "of town.geojson").text
        for row in rows { #expect(text.split(separator: "\n").count { $0.hasPrefix(row + " ") } == 1, "\(row)") }
        #expect(text.hasPrefix("2 trips, "))
        #expect(text.contains("8 fences of town.geojson"))
        let svg = TrackingPlot(sum).svg
        for row in rows { #expect(svg.contains(">\(row): "), "\(row)") }
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains("messages an hour of driving"))
        #expect(svg.contains("events missed"))
    }
}
