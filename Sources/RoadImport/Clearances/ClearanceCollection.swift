package import Clearances
import Hashing
import Roads

/// What clearance files yielded: every row read ended as clearances, as "no limit", or as a reject; an NBI record of which
/// one item cannot be read as both clearances and a reject.
package struct ClearanceCollection: Sendable {
    /// In the order of the files; ids differ.
    package private(set) var clearances: [PointClearance] = []
    package private(set) var rejects: [ClearanceReject] = []
    /// Rows with content, headers apart.
    package private(set) var rowsRead = 0
    /// Rows that say that no road is limited.
    package private(set) var rowsWithoutLimit = 0
    /// Rows about a route under a structure whose clearance was found in item 10 (NBI).
    package internal(set) var routesUnderFromItem10 = 0
    private var places: [BytewiseText: String] = [:]
    /// Positions in `clearances`.
    private var indices: [BytewiseText: Int] = [:]

    package init() {}

    /// Clearances whose text cannot be read or cannot be true: kept, and judged as unknown.
    package var unknown: Int { clearances.count { $0.reading == .unknown } }

    /// By reason.
    package var rejectedByReason: [String: Int] {
        rejects.reduce(into: [:]) { counts, reject in counts[reject.reason.rawValue, default: 0] += 1 }
    }

    /// Takes what `read` makes of a row: no clearance means that no road is limited.
    ///
    /// - Parameter isNamed: whether the row gives an id.
    mutating func take(_ row: Row, isNamed: Bool = true, _ read: () throws(RowError) -> [PointClearance]) {
        rowsRead += 1
        let place = "\(row.file):\(row.line)"
        do throws(RowError) {
            let found = isNamed ? try read() : try read().map(distinct)
            for clearance in found { try require(clearance.id) }
            if found.isEmpty { rowsWithoutLimit += 1 }
            for clearance in found {
                places[clearance.$id] = place
                indices[clearance.$id] = clearances.count
                clearances.append(clearance)
            }
        } catch {
            var row = row
            if !isNamed, error.reason != .duplicate, let id = row.id {
                // The rows after it have the numbers that they would have if it could be read.
                let id = freeID(id, or: { _ in false }) ?? id
                row.id = id
                places[BytewiseText(id)] = places[BytewiseText(id)] ?? place
            }
            reject(row, error)
        }
    }

    mutating func reject(_ row: Row, _ error: RowError) {
        rejects.append(
            ClearanceReject(
                file: row.file, line: row.line, id: row.id, reason: error.reason, detail: error.detail, raw: row.text))
    }

    /// One of a place of which another is known already, as of the other direction, under an id of its own: the lowest counts, whichever
    /// row comes first. The same once more stays a duplicate.
    private func distinct(_ clearance: PointClearance) -> PointClearance {
        func named(_ id: String) -> PointClearance {
            var clearance = clearance
            clearance.id = id
            return clearance
        }
        let id = freeID(clearance.id) { id in indices[BytewiseText(id)].map { clearances[$0] == named(id) } ?? false }
        return named(id ?? clearance.id)
    }

    /// The id, or the first of those that are numbered after it, that is not taken, or that `isSame` accepts; nil where there is none.
    private func freeID(_ id: String, or isSame: (String) -> Bool) -> String? {
        ([id] + (2...Self.ofOnePlaceMax).map { "\(id)-\($0)" }).first { places[BytewiseText($0)] == nil || isSame($0) }
    }

    /// A bridge has few sides; more are rows that have lost their places.
    private static let ofOnePlaceMax = 9

    /// An id names one clearance: which of two was meant is not for a program to guess. The first stays.
    private func require(_ id: String) throws(RowError) {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        guard (1...128).contains(id.utf8.count), !id.contains(where: { "/+#".contains($0) }),
            !id.unicodeScalars.contains(where: isControl)
        else { throw RowError(.identifier, id) }
        if let place = places[BytewiseText(id)] { throw RowError(.duplicate, "\(id) stands at \(place) already") }
    }
}

/// A row of a file.
struct Row {
    var file: String
    /// From 1.
    var line: Int
    var text: String
    /// Under which its clearance would be kept; nil where that is not known before it is read.
    var id: String?
}
