import Gateway
import Testing

@Suite("Prometheus text format 0.0.4")
struct MetricsTextTests {
    @Test("a family is its help, its type and a line for each sample")
    func family() {
        let family = MetricFamily(
            name: "doors_total", help: "Doors.", kind: .counter,
            samples: [
                .init(labels: [.init("state", "open"), .init("side", "left")], value: 2),
                .init(labels: [.init("state", "shut"), .init("side", "left")], value: 0),
            ])
        #expect(
            MetricsText.render([family]) == """
                # HELP doors_total Doors.
                # TYPE doors_total counter
                doors_total{state="open",side="left"} 2
                doors_total{state="shut",side="left"} 0

                """)
    }

    @Test("a histogram has cumulative buckets up to +Inf, a sum and a count")
    func histogram() throws {
        let metrics = GatewayMetrics(version: "1")
        metrics.fixToPublish.observe(0.002)
        metrics.fixToPublish.observe(0.75)
        metrics.fixToPublish.observe(90)
        let family = try #require(metrics.families.first { $0.name == "headroom_fix_to_publish_seconds" })
        let name = "headroom_fix_to_publish_seconds"
        #expect(
            MetricsText.render([family]) == """
                # HELP \(name) From the arrival of a fix to the broker's acknowledgement of what it caused.
                # TYPE \(name) histogram
                \(name)_bucket{le="0.001"} 0
                \(name)_bucket{le="0.0025"} 1
                \(name)_bucket{le="0.005"} 1
                \(name)_bucket{le="0.01"} 1
                \(name)_bucket{le="0.025"} 1
                \(name)_bucket{le="0.05"} 1
                \(name)_bucket{le="0.1"} 1
                \(name)_bucket{le="0.25"} 1
                \(name)_bucket{le="0.5"} 1
                \(name)_bucket{le="1"} 2
                \(name)_bucket{le="2.5"} 2
                \(name)_bucket{le="5"} 2
                \(name)_bucket{le="10"} 2
                \(name)_bucket{le="30"} 2
                \(name)_bucket{le="60"} 2
                \(name)_bucket{le="+Inf"} 3
                \(name)_sum 90.752
                \(name)_count 3

                """)
    }

    @Test(
        "a label value escapes backslash, quote and line feed; a help text leaves the quote",
        arguments: [
            (#"a\b"#, #"a\\b"#, #"a\\b"#), (#"say "hi""#, #"say \"hi\""#, #"say "hi""#),
            ("two\nlines", #"two\nlines"#, #"two\nlines"#), ("\r\n", "\r\\n", "\r\\n"), ("Straße", "Straße", "Straße"),
        ])
    func escaping(raw: String, label: String, help: String) {
        let family = MetricFamily(
            name: "x", help: raw, kind: .gauge, samples: [.init(labels: [.init("l", raw)], value: 1)])
        #expect(MetricsText.render([family]) == "# HELP x \(help)\n# TYPE x gauge\nx{l=\"\(label)\"} 1\n")
    }

    @Test(
        "numbers are written as Prometheus reads them",
        arguments: [
            (0.0, "0"), (12, "12"), (-3, "-3"), (0.1, "0.1"), (2.5, "2.5"), (1e-7, "1e-07"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ])
    func numbers(value: Double, text: String) {
        let family = MetricFamily(name: "x", help: "", kind: .gauge, samples: [.init(value: value)])
        #expect(MetricsText.render([family]).hasSuffix("\nx \(text)\n"))
    }
}
