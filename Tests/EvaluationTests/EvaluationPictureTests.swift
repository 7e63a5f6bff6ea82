import FleetTestSupport
import Foundation
import FoundationXML
import Geo
import Hashing
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// The picture of a trip: what stands on it, that it can be read, and that it needs nothing else.
struct EvaluationPictureTests {
    /// The words of a picture, by where they stand, and whether it is XML at all.
    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var words: [String] = []
        private(set) var elements: [String] = []
        private(set) var attributes: [String] = []
        private var isText = false

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append(name)
            self.attributes += attributes.filter { $0.key != "xmlns" }.map(\.value)
            isText = name == "text"
            if isText { words.append("") }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if isText { words[words.count - 1] += string }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            isText = false
        }
    }

    @Test(
        "It tells the stages with their distances, the low bridge, the detour, the alert point and whose map it is")
    func words() throws {
        let reader = try Reader(try EvaluationTrial(Drawing.bridge()).picture("aj je ef fg gz"))
        let expected = [
            "Trip 7: told 1.01 mi before the last turn-off",
            "truck of 4.12 m · a fix every 1 s · low bridge 10'6\" on Main Street",
            "low bridge 10'6\" on Main Street", "detour point: leave at Bypass Road", "ahead 1.01 mi", "detour 0.24 mi",
            "stop", "passed", "alert point, 1 mi before", "detour, 0.81 mi", "© OpenStreetMap contributors (ODbL)",
        ]
        for words in expected { #expect(reader.words.contains(words), "\(words) is not among \(reader.words)") }
    }

    @Test(
        "A picture says what became of the trip",
        arguments: [
            ("aj je ef fg gz", "Trip 7: told 1.01 mi before the last turn-off"),
            ("aj jn nm my yz", "Trip 7: an alert for nothing"),
            ("je ef fg gz", "Trip 7: begins behind the last turn-off"),
        ])
    func titles(trip: String, title: String) throws {
        let reader = try Reader(try EvaluationTrial(Drawing.bridge()).picture(trip))
        #expect(reader.words.contains(title), "\(reader.words)")
    }

    @Test("A trip that passes nothing and hears nothing is shown whole")
    func nothingToTell() throws {
        let trial = EvaluationTrial(try Drawing("a 0 0\nz 5000 0\naz tertiary"))
        let reader = try Reader(try trial.picture("az"))
        #expect(reader.words.contains("Trip 7: nothing to tell"))
        #expect(try !trial.account("az").hasAllStages)
    }

    @Test("It needs nothing from elsewhere: no scripts, images, fonts or addresses")
    func selfContained() throws {
        let reader = try Reader(try EvaluationTrial(Drawing.bridge()).picture("aj je ef fg gz"))
        #expect(Set(reader.elements).isSubset(of: ["svg", "title", "rect", "clipPath", "g", "path", "circle", "text"]))
        #expect(reader.attributes.allSatisfy { !$0.contains("http") && !$0.contains("data:") })
    }

    @Test("Equal trips give equal pictures")
    func deterministic() throws {
        let trial = try EvaluationTrial(Drawing.bridge()) { $0.noise = 5 }
        #expect(try trial.picture("aj je ef fg gz") == trial.picture("aj je ef fg gz"))
    }

    @Test("Even a whole region fits into 200 kB", .enabled(if: SimulationRoads.rheinNeckar.isThere))
    func size() throws {
        var plan = EvaluationPlan()
        (plan.natural, plan.passing) = (6, 4)
        let evaluator = Evaluator(
            try SimulationRoads.rheinNeckar.open(), height: SimulationRoads.rheinNeckar.height,
            settings: EngineSettings(), plan: plan)
        var worker = EvaluationWorker(evaluator) { .zero }
        for number in plan.numbers {
            let picture = try #require({ worker.picture(ofTrip: number, attribution: "a test's own") }())
            #expect((5_000...200_000).contains(picture.utf8.count))
            _ = try Reader(picture)
        }
    }

    @Test(
        "Text is escaped, and what XML cannot hold is left out",
        arguments: [
            ("A & B <Street> \"x\"", "A &amp; B &lt;Street&gt; &quot;x&quot;"), ("a\u{1}b\u{FFFE}c", "abc"),
            ("Straße · 東京 🚚", "Straße · 東京 🚚"),
        ])
    func escaping(text: String, escaped: String) {
        #expect(SVG.escaped(text) == escaped)
    }

    @Test("No label lies on another, on a mark, or beyond the map", arguments: UInt64(1)...20)
    func labels(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let area = PlotBox(left: 0, top: 0, right: 1_200, bottom: 600)
        // Most of them in a heap: the marks of a short approach.
        let labels = (0..<10).map { index in
            let spread = index < 7 ? 30.0 : 500
            return LabelPlacement.Label(
                words: String(repeating: "m", count: 4 + random.index(below: 30)),
                anchor: PlotPoint(
                    x: 600 + spread * (random.fraction() - 0.5), y: 300 + spread * random.fraction() / 2),
                radius: 8)
        }
        var placement = LabelPlacement(within: area, lines: [])
        let placed = placement.place(labels)
        #expect(placed.count == labels.count)
        for (index, one) in placed.enumerated() {
            #expect(area.contains(one.box))
            for other in placed[..<index] { #expect(!one.box.overlaps(other.box)) }
            for label in labels {
                #expect(!one.box.overlaps(PlotBox(around: label.anchor, width: 16, height: 16)))
            }
        }
    }

    @Test(
        "A scale bar has a round length of at most 200",
        arguments: [
            (0.5, .metric, "200 m", 100), (0.05, .metric, "2 km", 100), (0.5, .imperial, "1,000 ft", 152.4),
            (0.05, .imperial, "2 mi", 160.9344), (0.4, .imperial, "¼ mi", 160.9344),
        ] as [(Double, UnitSystem, String, Double)])
    func scaleBars(scale: Double, units: UnitSystem, words: String, length: Double) {
        let bar = ScaleBar(scale, units)
        #expect(bar.words == words)
        #expect(abs(bar.length - length) < 1e-9)
    }

    @Test("North is up, east is right, and what must be seen is on the map")
    func frame() {
        let places = [Drawing.place(0, 0), Drawing.place(3_000, 100), Drawing.place(1_000, 900)]
        let frame = PlotFrame(places, other: [Drawing.place(0, 40_000)])
        let points = frame.points(places)
        #expect(points.allSatisfy(frame.map.contains))
        #expect(points[0].x < points[1].x && points[1].y < points[0].y)
        #expect(abs(points[0].distance(to: points[1]) / frame.scale - 3_001.7) < 2)
        #expect((PlotFrame.width - frame.map.right).magnitude < 1)
    }
}
