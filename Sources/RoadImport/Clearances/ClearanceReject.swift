/// Why a row of a clearance file was not used. The raw value is what reports count by.
public enum ClearanceRejection: String, Error, CaseIterable, Sendable, Codable {
    case columns = "wrong number of columns"
    case lostColumns = "columns overwritten with blanks"
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
    case otherIdentifier = "id that is not the topic's"
    case duplicate = "id that is taken"
    case approach = "approach that cannot be read"
    case passage = "passage that is neither under nor over"
    case noFeature = "no GeoJSON Feature"
    case noPoint = "geometry that is no Point"
}

/// A row that was not used, and where it stands.
public struct ClearanceReject: Hashable, Sendable {
    public var file: String
    /// From 1; of a GeoJSON feature the line on which it begins.
    public var line: Int
    public var reason: ClearanceRejection
    /// What exactly, for people; may be empty.
    public var detail: String
    /// The row as it stands in the file.
    public var raw: String

    /// The reason with what exactly.
    public var message: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }
}

/// A reason and what exactly, on its way from a reader to the collection.
struct RowRejection: Error {
    var reason: ClearanceRejection
    var detail: String

    init(_ reason: ClearanceRejection, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    static let expectedClearance = "expected 1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\""

    /// A clearance that is no height or cannot be true.
    static func unreadableClearance(got: String) -> RowRejection {
        RowRejection(.value, "\(expectedClearance), got \(got)")
    }
}

/// Why a clearance file could not be read at all.
public struct ClearanceFileError: Error, CustomStringConvertible {
    public var path: String
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}
