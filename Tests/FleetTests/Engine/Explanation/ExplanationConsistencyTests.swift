import Clearances
import FleetTestSupport
import Foundation
import Geo
import Hashing
import Messages
import RoadImport
import Roads
import Testing

@testable import Fleet

@Suite("An explanation never tells another story than the alerts")
struct ExplanationConsistencyTests {
    /// After each fix: what is explained as due is open, what was raised is explained as due, and what is open is
    /// explained, idle exactly where no rule holds.
    private func compare(_ dispatcher: Dispatcher, _ fixes: [Fix], _ comment: String) throws {
        var raised = 0
        for fix in fixes {
            let told = dispatcher.alerts.count
            dispatcher.fix(fix)
            let messages = dispatcher.alerts.dropFirst(told)
            let truck = try #require(dispatcher.kept)
            let explanation = try #require(dispatcher.engine.explanation(of: truck.id, at: fix.time))
            let stories = explanation.stories
            let place = "\(comment) at \(fix.time.seconds)"
            let ended = Set(messages.filter(\.stage.isEnd).map(\.clearance.id))
            for story in stories where story.isDue && !ended.contains(story.clearance) {
                #expect(story.alert != nil, "\(place): due and not open: \(story)")
            }
            for message in messages where message.sequence == 1 {
                raised += 1
                #expect(stories.contains { $0.alert?.id == message.id && $0.isDue }, "\(place): raised and not due")
            }
            #expect(Set(stories.compactMap(\.alert?.id)) == Set(truck.alerts.map(\.id)), "\(place): open")
            for story in stories where story.alert != nil && !story.isStraight {
                #expect((story.alert?.idle == nil) == story.isHeld, "\(place): idle: \(story)")
            }
        }
        #expect(raised == dispatcher.alerts.count { $0.sequence == 1 })
    }

    @Test("On drawn journeys, at every report interval", arguments: [1.0, 5, 10, 30])
    func drawn(every: Seconds) throws {
        let journeys: [(Drawing, String)] = [
            (try .bridge(), "az"), (try .bridge(), "za"), (try .bridge(), "ajnmgz"), (try .bridge(), "ajnmyz"),
            (try .bridge("below_default"), "az"), (try .bridge("4.5"), "az"), (try .bridge(below: "service"), "az"),
            (try .sideStreet(), "az"), (try .sideStreet(), "asd"), (try .sideStreet(), "zwvds"),
            (try .sideStreet("service"), "az"), (try .sideStreet("service"), "asd"),
        ]
        for (drawing, names) in journeys {
            for isFluent in [true, false] {
                let dispatcher = Dispatcher(drawing.network)
                var journey = Journey(line: try drawing.line(names), every: every)
                journey.isFluent = isFluent
                try compare(dispatcher, journey.fixes, "\(names) \(isFluent)")
            }
        }
    }

    @Test("On a known route, kept and left")
    func routes() throws {
        let drawing = try Drawing.bridge()
        for (route, driven) in [("az", "ajnmgz"), ("ajnmgz", "az"), ("ajefgz", "az")] {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.tell(.route(.line(try drawing.line(route))), at: -30)
            try compare(dispatcher, Journey(line: try drawing.line(driven), every: 5).fixes, "\(route) \(driven)")
        }
    }

    @Test("Without roads, past and beside a clearance")
    func straightLine() throws {
        for north in [0.0, 50, 1_000, 4_000] {
            let clearance = PointClearance(
                id: "survey-12", position: Drawing.place(5_000, 0), posted: "3",
                detours: north == 50 ? [Drawing.place(4_500, 0)] : [])
            let engine = Engine(EngineSettings(), network: nil, clearances: [clearance])
            let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
            let journey = Journey(line: [Drawing.place(0, north), Drawing.place(7_000, north)], every: 5)
            try compare(dispatcher, journey.fixes, "\(north) m north")
        }
    }

    @Test("On random drives through towns of low bridges", arguments: [1.0, 10, 30])
    func towns(every: Seconds) throws {
        for seed in UInt64(1)...3 {
            let town = try GridTown(seed: seed)
            var random = SplitMix64(seed: seed &* 7_919)
            for number in 0..<3 {
                let line = town.walk(20, &random).reduce(into: [Coordinate]()) { line, edge in
                    line += town.network.line(edge).dropFirst(line.isEmpty ? 0 : 1)
                }
                let dispatcher = Dispatcher(town.network, height: 392)
                let journey = Journey(
                    line: line, speed: 12, every: every, offset: 1, isFluent: number % 2 == 0)
                try compare(dispatcher, journey.fixes, "town \(seed), drive \(number)")
            }
        }
    }

    @Test("On the demo's trips", arguments: [1.0, 10])
    func demo(every: Seconds) throws {
        struct Collection: Decodable { var features: [DemoTests.Truck] }
        let folder = URL(filePath: #filePath).appending(path: "../../../../../config/demo").standardized
        let map = folder.appending(path: "ann-arbor.osm").path(percentEncoded: false)
        let network = try RoadNetwork(RoadFileBuffer(RoadBuild.build([map], progress: { _ in }).file))
        let data = try Data(contentsOf: folder.appending(path: "trucks.geojson"))
        for truck in try JSONDecoder().decode(Collection.self, from: data).features {
            let dispatcher = Dispatcher(network, height: truck.height)
            let journey = Journey(
                line: truck.line, speed: truck.properties.speed_mps, every: every, offset: 0)
            try compare(dispatcher, journey.fixes, truck.properties.vehicle)
        }
    }
}

/// What is said of one way into one low zone, or of one clearance without a road.
private struct Story {
    var clearance: String
    var isDue: Bool
    var isHeld: Bool
    var isStraight: Bool
    var alert: Explanation.Hazard.Alert?
}

extension Explanation {
    fileprivate var stories: [Story] {
        clearances.flatMap { clearance -> [Story] in
            let straight = clearance.straightLine.map { line in
                Story(
                    clearance: clearance.id, isDue: line.isDue, isHeld: line.isDue, isStraight: true,
                    alert: line.alert)
            }
            let hazards = clearance.hazards.map { hazard in
                Story(
                    clearance: clearance.id, isDue: hazard.isDue,
                    isHeld: hazard.rule != nil && hazard.reason != .earlierApproach, isStraight: false,
                    alert: hazard.alert)
            }
            return hazards + (straight.map { [$0] } ?? [])
        }
    }
}
