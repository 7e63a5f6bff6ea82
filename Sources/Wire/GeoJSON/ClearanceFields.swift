package import Clearances
internal import Foundation
package import Geo
package import Messages

/// A clearance as people write it down, field by field; what both CSV and GeoJSON say.
package struct ClearanceFields {
    package var id: String?
    package var position: Coordinate
    package var clearance: String?
    package var name: String?
    package var road: String?
    package var approach: [Degrees]
    package var passage: String?
    package var detours: [Coordinate]
    package var source: String?
    package var date: String?
    package var author: String?
    package var validUntil: Timestamp?

    package init(
        id: String?, position: Coordinate, clearance: String?, name: String? = nil, road: String? = nil,
        approach: [Degrees] = [], passage: String? = nil, detours: [Coordinate] = [], source: String? = nil,
        date: String? = nil, author: String? = nil, validUntil: Timestamp? = nil
    ) {
        self.id = id
        self.position = position
        self.clearance = clearance
        self.name = name
        self.road = road
        self.approach = approach
        self.passage = passage
        self.detours = detours
        self.source = source
        self.date = date
        self.author = author
        self.validUntil = validUntil
    }

    /// What it is kept under. Where the source gives no id, source and place are one: the same survey gives the same id again.
    package var entryID: String {
        trimmed(id)
            ?? String(
                format: "%@:%.5f,%.5f", trimmed(source) ?? Self.defaultSource, position.latitude, position.longitude)
    }

    /// Whether the source gives an id.
    package var isNamed: Bool { trimmed(id) != nil }

    private static let defaultSource = "local"

    /// An unreadable text is kept, as unknown; no text, or a height of 0, is a slip and no clearance.
    ///
    /// - Parameter isStatement: whether it is somebody's word that is to hold at once: an unreadable text is refused then,
    ///   as it is under an id of the map's, since it would take the place of a height that is known.
    package func pointClearance(isStatement: Bool = false) throws(ClearanceFieldError) -> PointClearance {
        guard position.isValid else { throw .position(position) }
        guard let posted = trimmed(clearance) else { throw .missing }
        if isStatement || isOfMap, ClearanceReading(statement: posted) == nil {
            throw .unreadable(got: Double(posted) == nil ? "\"\(posted.prefix(64))\"" : posted)
        }
        if let length = LengthText.tenthMillimetres(posted), length <= 0 { throw .notPositive(posted) }
        guard approach.allSatisfy((0...360).contains) else { throw .approach(approach) }
        var clearance = PointClearance(
            id: entryID, position: position, posted: posted, name: trimmed(name) ?? "", road: trimmed(road) ?? "",
            approach: approach, passage: try knownPassage(), detours: detours,
            source: trimmed(source) ?? Self.defaultSource, date: trimmed(date) ?? "", author: trimmed(author) ?? "")
        clearance.expiry = validUntil
        return clearance
    }

    private var isOfMap: Bool { trimmed(id)?.hasPrefix("osm:") ?? false }

    private func knownPassage() throws(ClearanceFieldError) -> PointClearance.Passage? {
        guard let text = trimmed(passage) else { return nil }
        guard let passage = PointClearance.Passage(rawValue: text.lowercased()) else { throw .passage(text) }
        return passage
    }

    private func trimmed(_ text: String?) -> String? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        return text
    }
}

/// Why fields make no clearance, with what was got.
package enum ClearanceFieldError: Error {
    /// Beyond the ranges of latitude and longitude.
    case position(Coordinate)
    /// No clearance is given.
    case missing
    /// A clearance that is no height or cannot be true, as a message shows it.
    case unreadable(got: String)
    /// A clearance of 0 or less.
    case notPositive(String)
    case approach([Degrees])
    case passage(String)

    package static let expectedClearance = "1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\""
    package static let expectedCourse = "a course from 0 to 360"
}
