/// The Prometheus text exposition format, version 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
package enum MetricsText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All families, in their order; every line, the last one too, ends in a line feed.
    package static func render(_ families: [MetricFamily]) -> String {
        families.map(render).joined()
    }

    private static func render(_ family: MetricFamily) -> String {
        let head =
            "# HELP \(family.name) \(escaped(family.help, quote: false))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
        return family.samples.reduce(into: head) { text, sample in
            text += family.name + sample.suffix + render(sample.labels) + " " + prometheusNumber(sample.value) + "\n"
        }
    }

    private static func render(_ labels: [MetricFamily.Label]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value, quote: true))\"" }.joined(separator: ",") + "}"
    }

    /// Backslash and line feed are escaped everywhere, the double quote in label values only. By scalars, not by
    /// characters: a carriage return before a line feed makes one character of the two.
    private static func escaped(_ text: String, quote: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A number as Go's `ParseFloat`, and so Prometheus, reads it; whole ones without a fraction.
func prometheusNumber(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int(exactly: value).map(String.init) ?? String(value)
}
