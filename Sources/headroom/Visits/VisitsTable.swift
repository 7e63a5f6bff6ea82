import Fleet
import Foundation
import Geo
import Messages
import Wire

/// Columns as wide as their widest entry, and how their entries are written.
enum VisitsTable {
    static func text(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head] + rows
        let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = zip(line, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            let text = cells.joined(separator: "  ")
            return String(text[...(text.lastIndex { $0 != " " } ?? text.startIndex)])
        }.joined(separator: "\n")
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// To the second, in UTC; `?` where it is not known.
    static func time(_ time: Timestamp?) -> String {
        guard let time else { return "?" }
        return RFC3339.text(time).prefix(19).replacing("T", with: " ") + "Z"
    }

    /// To the minute, cut off.
    static func duration(_ seconds: Seconds) -> String {
        let minutes = Int(seconds / 60)
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(String(format: "%02d", minutes % 60)) min"
    }

    static func place(_ position: Coordinate, _ accuracy: Metres) -> String {
        String(format: "%.5f, %.5f ±%.0f m", position.latitude, position.longitude, accuracy)
    }
}
