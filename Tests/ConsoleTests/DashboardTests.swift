import Foundation
import Gateway
import Testing
import Yams

@testable import Console

@Suite("Dashboard and alert rules")
struct DashboardTests {
    private static let deploy = URL(filePath: #filePath).appending(path: "../../../deploy").standardized

    /// Every metric that a program serves, with the suffixes of histograms and summaries.
    private static var served: Set<String> {
        let families = GatewayMetrics(version: "1").families + ConsoleMetrics().families
        return Set(families.flatMap { family in family.samples.map { family.name + $0.suffix } })
    }

    private static func metrics(in expression: String) -> Set<String> {
        Set(expression.matches(of: /headroom_\w+/).map { String($0.output) })
    }

    /// The labels that an expression asks a metric for, with what it asks.
    private static func labels(in expression: String) -> [(metric: String, label: String, value: String)] {
        expression.matches(of: /(headroom_\w+)\{([^}]*)\}/).flatMap { selection in
            selection.2.matches(of: /(\w+)="([^"]*)"/).map { (String(selection.1), String($0.1), String($0.2)) }
        }
    }

    @Test("Alert rules are rules, and ask only for metrics and labels that there are")
    func rules() throws {
        let text = try String(contentsOf: Self.deploy.appending(path: "prometheus/alerts.yaml"), encoding: .utf8)
        let file = try #require(try Yams.load(yaml: text) as? [String: [[String: Any]]])
        let rules = try #require(file["groups"]?.first?["rules"] as? [[String: Any]])
        #expect(rules.count >= 10)
        #expect(Set(rules.compactMap { $0["alert"] as? String }).count == rules.count)
        let severities = rules.compactMap { ($0["labels"] as? [String: String])?["severity"] }
        #expect(severities.count == rules.count && Set(severities) == ["page", "warn"])
        for rule in rules {
            let annotations = try #require(rule["annotations"] as? [String: String])
            #expect(Set(annotations.keys) == ["summary", "description"])
            let expression = try #require(rule["expr"] as? String)
            try Self.check(expression, names: Self.groupings(in: expression))
            Self.checkComparison(expression)
        }
    }

    @Test("The dashboard is one, and shows every metric that there is")
    func dashboard() throws {
        let data = try Data(contentsOf: Self.deploy.appending(path: "grafana/headroom.json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        var shown: Set<String> = []
        for panel in panels {
            for target in try #require(panel["targets"] as? [[String: Any]]) {
                let expression = try #require(target["expr"] as? String)
                let legend = target["legendFormat"] as? String ?? ""
                let named = legend.matches(of: /\{\{(\w+)\}\}/).map { String($0.1) }
                try Self.check(expression, names: Self.groupings(in: expression) + named)
                shown.formUnion(Self.metrics(in: expression))
            }
        }
        let families = GatewayMetrics(version: "1").families + ConsoleMetrics().families
        for family in families {
            #expect(shown.contains { $0.hasPrefix(family.name) }, "no panel shows \(family.name)")
        }
    }

    /// The labels that an expression sums by.
    private static func groupings(in expression: String) -> [String] {
        expression.matches(of: /by \(([^)]*)\)/).flatMap { $0.1.split(separator: ", ").map(String.init) }
    }

    /// Prometheus compares what has the same labels: of two sides with metrics, both are sums by the same ones, or neither is.
    private static func checkComparison(_ expression: String) {
        let sides = expression.split(separator: /\s(?:and|or|unless|[<>=!]=?)\s/).filter { $0.contains("headroom_") }
        let sums = sides.map { side in side.matches(of: /sum(?: by \([^)]*\) ?)?\(/).map { String($0.output) } }
        #expect(Set(sums).count == 1, "\(expression)")
    }

    /// - Parameter names: of labels that it sums by or that its legend shows.
    private static func check(_ expression: String, names: [String]) throws {
        let metrics = metrics(in: expression)
        #expect(!metrics.isEmpty && metrics.isSubset(of: served), "\(metrics.subtracting(served)) of \(expression)")
        let families = GatewayMetrics(version: "1").families + ConsoleMetrics().families
        for (metric, label, value) in labels(in: expression) where label != "job" {
            let samples = families.filter { metric.hasPrefix($0.name) }.flatMap(\.samples)
            #expect(
                samples.contains { $0.labels.contains { $0.name == label && $0.value == value } },
                "\(metric) has no \(label)=\"\(value)\"")
        }
        let known = families.filter { family in metrics.contains { $0.hasPrefix(family.name) } }.flatMap(\.samples)
            .reduce(into: ["le", "job", "instance"] as Set) { $0.formUnion($1.labels.map(\.name)) }
        #expect(known.isSuperset(of: names), "\(names) of \(expression)")
    }
}
