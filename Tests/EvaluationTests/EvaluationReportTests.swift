import Foundation
import Messages
import Testing

@testable import Evaluation
@testable import Fleet

/// How an evaluation reads.
struct EvaluationReportTests {
    private var evaluation: Evaluation {
        var it = Evaluation(interval: 1)
        (it.trips, it.kilometres, it.fixesReported, it.fixesAccepted) = (2_000, 48_000, 2_500_001, 2_500_000)
        it.engineMicroseconds = 41_250_016.5
        (it.passes, it.tellable, it.toldBefore, it.silenced, it.silencedToldBefore) = (310, 300, 295, 12, 7)
        (it.fixesMatched, it.fixesMatchedRight) = (2_500_000, 2_450_000)
        (it.noticeable, it.toldWithNotice) = (299, 290)
        (it.droveTheMile, it.droveAndToldAtTheMile, it.onPathForTheMile, it.toldAtTheMile) = (290, 101, 100, 100)
        (it.hours, it.notices, it.falseNotices) = (800, 900, 840)
        (it.raised, it.repeated, it.doubled, it.clearedPasses) = (1_000, 10, 0, 1)
        (it.noticedBefore, it.droveAndNoticedAtTheMile) = (299, 288)
        it.sites["osm:way:1"] = SiteEvaluation(
            tellable: 200, toldBefore: 200, noticedBefore: 200, droveTheMile: 200, droveAndToldAtTheMile: 100,
            droveAndNoticedAtTheMile: 200)
        it.sites["osm:way:2"] = SiteEvaluation(
            tellable: 100, toldBefore: 95, noticedBefore: 99, droveTheMile: 90, droveAndToldAtTheMile: 0,
            droveAndNoticedAtTheMile: 90)
        it.leadMetres = (1...300).map { Double($0) * 10 }
        it.leadSeconds = (1...300).map { Double($0) }
        (it.alerts, it.stops, it.wrongStops, it.falseAlerts) = (700, 291, 3, 336)
        it.falseByStage = ["ahead": 330, "detour": 6]
        it.falseByCause = [.turnNotTaken: 300, .leftThePath: 36]
        it.falseAboveOrBelow = 20
        (it.circleAlerts, it.circleFalse) = (7_000, 6_720)
        it.missed = [4, 18, 300, 301, 302]
        return it
    }

    @Test("Every measure says how many of how many, and the share")
    func table() {
        let text = EvaluationReport("Natural trips", evaluation, notice: 10).text
        let expected = """
            Natural trips, a fix every 1 s: 2,000 trips, 48,000 km, 2,500,000 fixes used
                                                                  count        of     share
              fixes matched to the true road                  2,450,000 2,500,000    98.0 %
              public passes with a detour, seen twice               300       310    96.8 %
              told before the detour point                          295       300    98.3 %
                by notice or alarm                                  299       300    99.7 %
                silent in the last 11 s                               7        12    58.3 %
                all others                                          288       288   100.0 %
              told 10 s before, where seen so early                 290       299    97.0 %
              the full mile, on the predicted path                  100       100   100.0 %
              the full mile, all that drove it                      101       290    34.8 %
                by notice or alarm                                  288       290    99.3 %
              stop with a detour left                                 3       291     1.0 %
              raised again soon after the end                        10     1,000     1.0 %
              raised beside an open one                               0     1,000     0.0 %
              cleared though passed                                   1     1,000     0.1 %
              false alerts                                          336       700    48.0 %
                at worst ahead                                      330       336    98.2 %
                at worst detour                                       6       336     1.8 %
                at worst stop                                         0       336     0.0 %
                left the path before the detour point                36       336    10.7 %
                took the detour                                       0       336     0.0 %
                turn-off not taken                                  300       336    89.3 %
                trip ended                                            0       336     0.0 %
                above or below the road                              20       336     6.0 %
              false alerts of circles of a mile                   6,720     7,000    96.0 %

                                                                   10 %      50 %        of
              lead to the detour point, m                           300     1,500       300
              lead to the detour point, s                          30.0     150.0       300

              false alerts per 1,000 km                             7.0
                circles of a mile                                 140.0
              notices per hour for what was not passed              1.1
              engine time per fix, µs                              16.5
              not told before: trip 4, 18, 300, 301, 302
            """
        #expect(text == expected)
    }

    @Test("By site each structure has its rows, and the mean counts all sites alike")
    func sites() {
        let text = EvaluationReport("Natural trips", evaluation, notice: 10, isBySite: true).text
        let expected = """
              osm:way:1: told                                       200       200   100.0 %
                the full mile                                       100       200    50.0 %
                the full mile, by notice or alarm                   200       200   100.0 %
              osm:way:2: told                                        95       100    95.0 %
                the full mile                                         0        90     0.0 %
                the full mile, by notice or alarm                    90        90   100.0 %
              mean of sites: told                                                    97.5 %
                the full mile                                                        25.0 %
                the full mile, by notice or alarm                                   100.0 %
            """
        #expect(text.contains(expected))
    }

    @Test("Where there was nothing to tell, a dash stands for a share, and nothing is divided by nothing")
    func empty() {
        let text = EvaluationReport("Natural trips", Evaluation(interval: 2.5), notice: 10).text
        #expect(text.hasPrefix("Natural trips, a fix every 2.5 s: 0 trips, 0 km, 0 fixes used"))
        #expect(text.contains("silent in the last 12.5 s                             0         0         –"))
        #expect(!text.contains("nan") && !text.contains("not told before"))
    }

    @Test("As JSON it has a key for every count, and nothing else")
    func json() throws {
        let pair = EvaluationPair(natural: evaluation, passing: Evaluation(interval: 1))
        let data = try JSONEncoder().encode(pair)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        #expect(Set(object.keys) == ["natural", "passing"])
        let natural = try #require(object["natural"])
        let keys = """
            interval trips kilometres hours sites notices falseNotices raised repeated doubled clearedPasses \
            noticedBefore droveAndNoticedAtTheMile fixesReported fixesAccepted fixesMatched fixesMatchedRight \
            engineMicroseconds passes tellable \
            toldBefore silenced \
            silencedToldBefore noticeable toldWithNotice onPathForTheMile toldAtTheMile droveTheMile \
            droveAndToldAtTheMile leadMetres leadSeconds missed late alerts stops wrongStops wronglyStopped falseAlerts falseByStage \
            falseByCause falseAboveOrBelow circleAlerts circleFalse
            """
        #expect(Set(natural.keys) == Set(keys.split(separator: " ").map(String.init)))
        #expect(
            natural["falseByCause"] as? [String: Int] == [
                "turn-off not taken": 300, "left the path before the detour point": 36,
            ])
        #expect(try JSONDecoder().decode(EvaluationPair.self, from: data) == pair)
    }

    @Test(
        "Numbers have thousands apart and the decimals asked for",
        arguments: [
            (0, 0, "0"), (1_234.5678, 1, "1,234.6"), (1_234_567, 0, "1,234,567"), (0.996, 2, "1.00"), (-0.04, 1, "0.0"),
            (-1_000.25, 1, "-1,000.3"), (999.96, 1, "1,000.0"), (12.03, 2, "12.03"),
        ])
    func decimals(value: Double, decimals: Int, text: String) {
        #expect(value.text(decimals: decimals) == text)
    }
}
