import Clearances
import Geo
import Wire

/// Why a row of a clearance file, or an item of it, was not used. The raw value is what reports count by.
package enum ClearanceRejection: String, CaseIterable, Sendable, Codable {
    case columns = "wrong number of columns"
    case length = "wrong length of the record"
    case openQuote = "text without its closing quote"
    case blank = "blank field"
    case recordType = "unknown record type"
    case stateCode = "unknown state code"
    case position = "position that cannot be read"
    case sexagesimal = "60 or more minutes or seconds"
    case positionRange = "position off the map"
    case value = "clearance that cannot be read"
    case missing = "no clearance given"
    case notPositive = "clearance of 0 or less"
    case reference = "unknown reference feature"
    case identifier = "id that cannot be a topic level"
    case duplicate = "id that is taken"
    case approach = "approach that cannot be read"
    case passage = "passage that is neither under nor over"
    case validity = "valid_until in a file"
    case noFeature = "no GeoJSON Feature"
    case noPoint = "geometry that is no Point"
}

/// A row that was not used, or an item of it, and where it stands.
package struct ClearanceReject: Hashable, Sendable {
    package var file: String
    /// From 1; of a GeoJSON feature the line on which it begins.
    package var line: Int
    /// Under which its clearance would be kept. Of a GeoJSON feature, and nil where it says none that can be read.
    package var id: String?
    package var reason: ClearanceRejection
    /// What exactly, for people; may be empty.
    package var detail: String
    /// The row as it stands in the file.
    package var raw: String

    /// The reason with what exactly.
    package var message: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }
}

/// A reason and what exactly, on its way from a reader to the collection.
struct RowError: Error {
    var reason: ClearanceRejection
    var detail: String

    init(_ reason: ClearanceRejection, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    static func requireColumns(_ count: Int, in fields: [String]) throws(RowError) {
        guard fields.count == count else { throw RowError(.columns, "\(fields.count) of \(count)") }
    }

    init(fieldError error: ClearanceFieldError) {
        switch error {
        case .position(let position):
            self.init(.positionRange, "latitude \(position.latitude), longitude \(position.longitude)")
        case .missing: self.init(.missing)
        case .unreadable(let got):
            self.init(.value, "expected \(ClearanceFieldError.expectedClearance), got \(got)")
        case .notPositive(let text): self.init(.notPositive, text)
        case .approach(let courses): self.init(.approach, courses.map { "\($0)" }.joined(separator: ", "))
        case .passage(let text): self.init(.passage, text)
        }
    }
}

extension ClearanceFields {
    /// The clearance of a file's row.
    func clearance() throws(RowError) -> PointClearance {
        do throws(ClearanceFieldError) {
            return try pointClearance()
        } catch {
            throw RowError(fieldError: error)
        }
    }
}
