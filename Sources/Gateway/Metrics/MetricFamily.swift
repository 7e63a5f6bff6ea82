import typealias Geo.Seconds

/// One metric as it was read: its name, what it means, and its samples.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram, summary
    }

    package struct Label: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Sample: Hashable, Sendable {
        /// What follows the family's name: nothing, `_bucket`, `_sum` or `_count`.
        package var suffix: String
        package var labels: [Label]
        package var value: Double

        package init(suffix: String = "", labels: [Label] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    package var name: String
    package var help: String
    package var kind: Kind
    package var samples: [Sample]

    package init(name: String, help: String, kind: Kind, samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }
}

extension MetricFamily {
    init(_ name: String, _ help: String, _ counter: Counter) {
        self.init(name: name, help: help, kind: .counter, samples: [Sample(value: Double(counter.value))])
    }

    init(_ name: String, _ help: String, _ gauge: Gauge) {
        self.init(name: name, help: help, kind: .gauge, samples: [Sample(value: Double(gauge.value))])
    }

    init<L>(_ name: String, _ help: String, _ counters: LabelledCounter<L>, by label: String) {
        let samples = counters.labels.map {
            Sample(labels: [Label(label, $0.rawValue)], value: Double(counters[$0].value))
        }
        self.init(name: name, help: help, kind: .counter, samples: samples)
    }

    init(_ name: String, _ help: String, _ histogram: Histogram) {
        let counts = histogram.cumulativeCounts
        let bounds = histogram.bounds.map(prometheusNumber) + ["+Inf"]
        var samples = zip(bounds, counts).map {
            Sample(suffix: "_bucket", labels: [Label("le", $0)], value: Double($1))
        }
        samples += Self.totals(sum: histogram.sum, count: counts.last ?? 0)
        self.init(name: name, help: help, kind: .histogram, samples: samples)
    }

    /// A duration of which only sum and count are of interest: a summary without quantiles.
    init(_ name: String, _ help: String, totalsOf histogram: Histogram) {
        let samples = Self.totals(sum: histogram.sum, count: histogram.cumulativeCounts.last ?? 0)
        self.init(name: name, help: help, kind: .summary, samples: samples)
    }

    private static func totals(sum: Seconds, count: Int) -> [Sample] {
        [Sample(suffix: "_sum", value: sum), Sample(suffix: "_count", value: Double(count))]
    }
}
