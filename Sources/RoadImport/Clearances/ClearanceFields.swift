import Clearances
internal import Foundation
import Geo
import Roads

/// A clearance as people write it down, field by field; what both CSV and GeoJSON say.
struct ClearanceFields {
    var id: String?
    var position: Coordinate
    var clearance: String?
    var name: String?
    var road: String?
    var approach: [Degrees] = []
    var passage: String?
    var detours: [Coordinate] = []
    var source: String?
    var date: String?

    /// An unreadable text is kept, as unknown; no text, or a height of 0, is a slip and no clearance.
    ///
    /// - Parameter isStatement: whether it is somebody's word that is to hold at once: an unreadable text is refused then,
    ///   as it is under an id of the map's, since it would take the place of a height that is known.
    func pointClearance(isStatement: Bool = false) throws(RowRejection) -> PointClearance {
        guard position.isValid else {
            throw RowRejection(.positionRange, "latitude \(position.latitude), longitude \(position.longitude)")
        }
        guard let posted = trimmed(clearance) else {
            throw RowRejection(.missing, isStatement ? RowRejection.expectedClearance : "")
        }
        if isStatement || isOfMap, ClearanceReading(statement: posted) == nil {
            throw .unreadableClearance(got: Double(posted) == nil ? "\"\(posted.prefix(64))\"" : posted)
        }
        if let length = LengthText.tenthMillimetres(posted), length <= 0 { throw RowRejection(.notPositive, posted) }
        guard approach.allSatisfy((0...360).contains) else {
            throw RowRejection(.approach, approach.map { "\($0)" }.joined(separator: ", "))
        }
        let source = trimmed(source) ?? "local"
        return PointClearance(
            id: trimmed(id) ?? place(source), position: position, posted: posted, name: trimmed(name) ?? "",
            road: trimmed(road) ?? "", approach: approach, passage: try knownPassage(), detours: detours,
            source: source, date: trimmed(date) ?? "")
    }

    private var isOfMap: Bool { trimmed(id)?.hasPrefix("osm:") ?? false }

    private func knownPassage() throws(RowRejection) -> PointClearance.Passage? {
        guard let text = trimmed(passage) else { return nil }
        guard let passage = PointClearance.Passage(rawValue: text.lowercased()) else {
            throw RowRejection(.passage, text)
        }
        return passage
    }

    /// Where the source gives no id, source and place are one: the same survey gives the same id again.
    private func place(_ source: String) -> String {
        String(format: "%@:%.5f,%.5f", source, position.latitude, position.longitude)
    }

    private func trimmed(_ text: String?) -> String? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        return text
    }
}
