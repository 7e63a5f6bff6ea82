import Fleet
package import Geo
import Messages

/// An evaluation as people read it: every measure with how many there were of how many.
package struct EvaluationReport {
    private static let labelWidth = 47
    private static let columnWidth = 10

    private let title: String
    private let evaluation: Evaluation
    private let notice: Seconds
    private let isBySite: Bool

    /// - Parameters:
    ///   - notice: how long before the detour point a driver ought to be told, as it was judged by.
    ///   - isBySite: whether each structure has rows of its own.
    package init(_ title: String, _ evaluation: Evaluation, notice: Seconds, isBySite: Bool = false) {
        self.isBySite = isBySite
        self.title = title
        self.evaluation = evaluation
        self.notice = notice
    }

    package var text: String {
        let head =
            "\(title), a fix every \(evaluation.interval.plain) s: \(evaluation.trips.grouped) trips, "
            + "\(evaluation.kilometres.text(decimals: 0)) km, \(evaluation.fixesAccepted.grouped) fixes used"
        return ([head] + shares + [""] + leads + [""] + rates + (isBySite ? [""] + sites : []) + misses).joined(
            separator: "\n")
    }

    // MARK: Rows

    private var shares: [String] {
        let it = evaluation
        let otherwise = (it.toldBefore - it.silencedToldBefore, it.tellable - it.silenced)
        return [row("", "count", "of", "share")]
            + [
                share("fixes matched to the true road", it.fixesMatchedRight, it.fixesMatched),
                share("public passes with a detour, seen twice", it.tellable, it.passes),
                share("told before the detour point", it.toldBefore, it.tellable),
                share("  by notice or alarm", it.noticedBefore, it.tellable),
                share("  silent in the last \((notice + it.interval).plain) s", it.silencedToldBefore, it.silenced),
                share("  all others", otherwise.0, otherwise.1),
                share("told \(notice.plain) s before, where seen so early", it.toldWithNotice, it.noticeable),
                share("the full mile, on the predicted path", it.toldAtTheMile, it.onPathForTheMile),
                share("the full mile, all that drove it", it.droveAndToldAtTheMile, it.droveTheMile),
                share("  by notice or alarm", it.droveAndNoticedAtTheMile, it.droveTheMile),
                share("stop with a detour left", it.wrongStops, it.stops),
                share("raised again soon after the end", it.repeated, it.raised),
                share("raised beside an open one", it.doubled, it.raised),
                share("cleared though passed", it.clearedPasses, it.raised),
                share("false alerts", it.falseAlerts, it.alerts),
            ]
            + ["ahead", "detour", "stop"].map {
                share("  at worst \($0)", it.falseByStage[$0, default: 0], it.falseAlerts)
            }
            + Evaluation.Cause.allCases.map {
                share("  \($0.rawValue)", it.falseByCause[$0, default: 0], it.falseAlerts)
            }
            + [
                share("  above or below the road", it.falseAboveOrBelow, it.falseAlerts),
                share("false alerts of circles of a mile", it.circleFalse, it.circleAlerts),
            ]
    }

    private var leads: [String] {
        func quantiles(_ label: String, _ sorted: [Double], decimals: Int) -> String {
            let columns = [0.1, 0.5].map { share in
                Evaluation.quantile(share, of: sorted).map { $0.text(decimals: decimals) } ?? "–"
            }
            return row(label, columns[0], columns[1], sorted.count.grouped)
        }
        return [
            row("", "10 %", "50 %", "of"),
            quantiles("lead to the detour point, m", evaluation.leadMetres, decimals: 0),
            quantiles("lead to the detour point, s", evaluation.leadSeconds, decimals: 1),
        ]
    }

    private var rates: [String] {
        [
            row("false alerts per 1,000 km", evaluation.falsePer1000Kilometres.text(decimals: 1)),
            row("  circles of a mile", evaluation.circleFalsePer1000Kilometres.text(decimals: 1)),
            row("notices per hour for what was not passed", evaluation.falseNoticesPerHour.text(decimals: 1)),
            row("engine time per fix, µs", evaluation.engineMicrosecondsPerFix.text(decimals: 1)),
        ]
    }

    /// Those with most passes first.
    private var sites: [String] {
        let sites = evaluation.sites
        let rows = sites.sorted { ($1.value.tellable, $0.key) < ($0.value.tellable, $1.key) }.map { id, site in
            [
                share("\(id): told", site.toldBefore, site.tellable),
                share("  the full mile", site.droveAndToldAtTheMile, site.droveTheMile),
                share("  the full mile, by notice or alarm", site.droveAndNoticedAtTheMile, site.droveTheMile),
            ].joined(separator: "\n")
        }
        func mean(_ label: String, _ part: (SiteEvaluation) -> Int, of whole: (SiteEvaluation) -> Int) -> String {
            let mean = sites.mean(part, of: whole).map { ($0 * 100).text(decimals: 1) + " %" } ?? "–"
            return row(label, "", "", mean)
        }
        return rows + [
            mean("mean of sites: told", \.toldBefore, of: \.tellable),
            mean("  the full mile", \.droveAndToldAtTheMile, of: \.droveTheMile),
            mean("  the full mile, by notice or alarm", \.droveAndNoticedAtTheMile, of: \.droveTheMile),
        ]
    }

    private var misses: [String] {
        [
            ("not told before", evaluation.missed), ("told later than \(notice.plain) s before", evaluation.late),
            ("stop with a detour left", evaluation.wronglyStopped),
        ].filter { !$1.isEmpty }.map { label, trips in
            let shown = trips.prefix(20).map { "\($0)" }.joined(separator: ", ")
            return "  \(label): trip \(shown)" + (trips.count > 20 ? ", … (\(trips.count.grouped) in all)" : "")
        }
    }

    // MARK: Columns

    private func share(_ label: String, _ part: Int, _ whole: Int) -> String {
        let share = whole == 0 ? "–" : (Double(part) / Double(whole) * 100).text(decimals: 1) + " %"
        return row(label, part.grouped, whole.grouped, share)
    }

    private func row(_ label: String, _ columns: String...) -> String {
        columns.reduce("  " + padded(label, Self.labelWidth, atEnd: true)) {
            $0 + padded($1, Self.columnWidth, atEnd: false)
        }
    }

    private func padded(_ text: String, _ width: Int, atEnd: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return atEnd ? text + space : space + text
    }
}
