import Fleet
import Gateway
import Messages
import Testing

@Suite("What the gateway counts")
struct MetricsTests {
    let metrics = GatewayMetrics(version: "1.2.3")

    private var lines: [String] { MetricsText.render(metrics.families).split(separator: "\n").map(String.init) }

    @Test(
        "every metric that checks rely on is there from the start, with its type and 0",
        arguments: [
            ("headroom_messages_received_total", "counter"), ("headroom_fixes_total", "counter"),
            ("headroom_outbox_pending", "gauge"), ("headroom_vehicles", "gauge"),
            ("headroom_broker_connected", "gauge"), ("headroom_retained_missing", "gauge"),
            ("headroom_retained_republished_total", "counter"),
        ])
    func present(name: String, kind: String) {
        #expect(lines.contains("# TYPE \(name) \(kind)"))
        #expect(lines.contains("\(name) 0"))
    }

    @Test(
        "every label value is there from the start, with 0",
        arguments: InputError.allCases.map { #"headroom_rejected_total{reason="\#($0.rawValue)"} 0"# }
            + ["ahead", "detour", "stop", "cleared", "passed"].map { #"headroom_alerts_total{stage="\#($0)"} 0"# }
            + ["determined", "enter", "exit", "dwell"].map { #"headroom_fence_events_total{event="\#($0)"} 0"# })
    func labelPresent(line: String) {
        #expect(lines.contains(line))
    }

    @Test("what is counted under one label does not show under another")
    func labelsAreApart() {
        metrics.rejected[.duplicate].add(3)
        metrics.alerts[.stop].add()
        metrics.fenceEvents[.exit].add(2)
        #expect(lines.contains(#"headroom_rejected_total{reason="duplicate"} 3"#))
        #expect(lines.contains(#"headroom_rejected_total{reason="out-of-order"} 0"#))
        #expect(lines.contains(#"headroom_alerts_total{stage="stop"} 1"#))
        #expect(lines.contains(#"headroom_alerts_total{stage="ahead"} 0"#))
        #expect(lines.contains(#"headroom_fence_events_total{event="exit"} 2"#))
    }

    @Test("a counter adds up, a gauge shows what was set last")
    func countersAndGauges() {
        metrics.fixes.add(2)
        metrics.fixes.add(3)
        metrics.vehicles.set(7)
        metrics.vehicles.set(4)
        #expect(lines.contains("headroom_fixes_total 5"))
        #expect(lines.contains("headroom_vehicles 4"))
    }

    @Test("commits show their number and their seconds, the build its version")
    func commitsAndBuild() {
        metrics.storeCommits.observe(0.25)
        metrics.storeCommits.observe(0.5)
        #expect(lines.contains("headroom_store_commit_seconds_sum 0.75"))
        #expect(lines.contains("headroom_store_commit_seconds_count 2"))
        #expect(lines.contains(#"headroom_build_info{version="1.2.3"} 1"#))
    }

    @Test("no count is lost when several threads count at once")
    func concurrentCounting() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<10_000 { metrics.messagesReceived.add() } }
            }
        }
        #expect(metrics.messagesReceived.value == 40_000)
    }
}

@Suite("Histogram")
struct HistogramTests {
    @Test(
        "an event counts in every bucket whose bound it does not exceed",
        arguments: [
            (0.0, [1, 1, 1]), (0.1, [1, 1, 1]), (0.100_001, [0, 1, 1]), (1, [0, 1, 1]), (1.5, [0, 0, 1]),
            (-3, [1, 1, 1]), (.nan, [0, 0, 0]), (.infinity, [0, 0, 0]), (1e10, [0, 0, 0]),
        ])
    func buckets(duration: Double, counts: [Int]) {
        let histogram = Histogram(bounds: [0.1, 1])
        histogram.observe(duration)
        #expect(histogram.cumulativeCounts == counts)
    }

    @Test("the sum is that of what was counted")
    func sum() {
        let histogram = Histogram(bounds: [1])
        for duration in [0.5, 2.25, -1, .nan] { histogram.observe(duration) }
        #expect(histogram.sum == 2.75)
    }

    @Test("fix to publish is measured from a millisecond to a minute")
    func bounds() {
        let bounds = GatewayMetrics(version: "").fixToPublish.bounds
        #expect(bounds.first == 0.001)
        #expect(bounds.last == 60)
    }
}
