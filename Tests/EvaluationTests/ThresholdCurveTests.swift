import Testing

@testable import Evaluation

/// What each threshold of probability would lead to.
struct ThresholdCurveTests {
    private func point(_ threshold: Double, told: Int, falseAlerts: Int) -> ThresholdCurve.Point {
        var it = Evaluation(interval: 10)
        (it.trips, it.kilometres) = (100, 2_000)
        (it.tellable, it.toldBefore, it.droveTheMile, it.droveAndToldAtTheMile) = (60, 60, 50, told)
        it.falseAlerts = falseAlerts
        return ThresholdCurve.Point(
            minProbability: threshold, results: [EvaluationPair(natural: it, passing: Evaluation(interval: 10))])
    }

    private var curve: ThresholdCurve {
        ThresholdCurve([point(0.3, told: 25, falseAlerts: 11), point(0.1, told: 40, falseAlerts: 46)])
    }

    @Test("A row of the table is a threshold, in their order")
    func table() {
        let expected = """
            min_probability  interval       full mile  false per 1,000 km  told before
                       0.10      10 s  40 of 50, 80 %                23.0     60 of 60
                       0.30      10 s  25 of 50, 50 %                 5.5     60 of 60
            """
        #expect(curve.text == expected)
    }

    @Test("The threshold in force is among those that are tried, once")
    func thresholds() {
        #expect(ThresholdCurve.thresholds(with: 0.25).filter { (0.2...0.3).contains($0) } == [0.2, 0.25, 0.3])
        #expect(ThresholdCurve.thresholds(with: 0.3) == ThresholdCurve.thresholds(with: 0.2))
    }

    @Test("A point lies right by its false alarms and up by its full miles, and the one in force is the largest")
    func picture() {
        // The axes are 770 wide for 25 per 1,000 km, and 446 high.
        let svg = curve.svg(inForce: 0.3)
        #expect(svg.contains(#"<circle cx="798.4" cy="173.2" r="4.5""#))
        #expect(svg.contains(#"<circle cx="259.4" cy="307" r="8""#))
        #expect(svg.contains(">0.30</text>"))
    }

    @Test("Nothing is drawn of a threshold at which no pass was a mile long")
    func nothingDriven() {
        var empty = point(0.2, told: 0, falseAlerts: 0)
        empty.results[0].natural.droveTheMile = 0
        let svg = ThresholdCurve([empty]).svg(inForce: 0.2)
        #expect(!svg.contains("<circle"))
        #expect(ThresholdCurve([empty]).text.contains("0 of 0 "))
    }
}
