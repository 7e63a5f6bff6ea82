import Fleet
import Messages

/// Writes the elements of an SVG file. Attributes that elements share stand in their group.
struct SVG {
    private(set) var text = ""

    private static let font = "font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\""

    /// A whole file that needs nothing else: no fonts, scripts or images, and a background of its own.
    ///
    /// - Parameter title: what a screen reader says of it.
    static func document(
        width: Double, height: Double, title: String, _ content: (inout SVG) -> Void
    ) -> String {
        let (width, height) = (number(width), number(height))
        var svg = SVG()
        svg.add(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
                + "height=\"\(height)\" role=\"img\" \(font)>")
        svg.add("<title>\(escaped(title))</title>")
        svg.add("<rect width=\"100%\" height=\"100%\" fill=\"\(PlotColour.background)\"/>")
        content(&svg)
        svg.add("</svg>")
        return svg.text
    }

    mutating func add(_ element: String) { text += element + "\n" }

    /// - Parameter attributes: `name="value"`, of all elements that `content` adds.
    mutating func group(_ attributes: String, _ content: (inout SVG) -> Void) {
        add("<g \(attributes)>")
        content(&self)
        add("</g>")
    }

    mutating func path(_ data: String, _ attributes: String = "") {
        guard !data.isEmpty else { return }
        add("<path d=\"\(data)\"\(attributes.isEmpty ? "" : " " + attributes)/>")
    }

    mutating func circle(_ centre: PlotPoint, radius: Double, _ attributes: String) {
        add(
            "<circle cx=\"\(Self.number(centre.x))\" cy=\"\(Self.number(centre.y))\" r=\"\(Self.number(radius))\" "
                + "\(attributes)/>")
    }

    /// - Parameter place: where its base line begins, ends or has its middle, as `text-anchor` says.
    mutating func words(_ words: String, at place: PlotPoint, _ attributes: String = "") {
        add(
            "<text x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\""
                + (attributes.isEmpty ? "" : " " + attributes) + ">\(Self.escaped(words))</text>")
    }

    /// A tenth of a unit is finer than any screen.
    static func number(_ value: Double) -> String {
        let text = value.text(decimals: 1, groups: false)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The path data of one line through these points; those too near to the one before to be told apart are left out.
    /// Empty where fewer than two are left.
    static func pathData(_ points: [PlotPoint]) -> String {
        guard var last = points.first else { return "" }
        var kept = [last]
        for (index, point) in points.enumerated().dropFirst() {
            let isEnd = index == points.count - 1
            guard point.distance(to: last) >= (isEnd ? 0.1 : 1) else { continue }
            kept.append(point)
            last = point
        }
        guard kept.count > 1 else { return "" }
        return "M" + kept.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L")
    }

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default:
                // XML 1.0 has no place for control characters, not even as references.
                let isAllowed =
                    character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0xFFFE }
                    || character.unicodeScalars.allSatisfy { $0.value >= 0x1_0000 }
                if isAllowed { escaped.append(character) }
            }
        }
    }
}
