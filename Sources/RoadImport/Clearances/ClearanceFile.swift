/// A layout in which clearances come.
package enum ClearanceFormat: String, CaseIterable, Sendable {
    /// National Bridge Inventory, delimited, with a header.
    case nbi
    /// National Bridge Inventory, records of fixed width.
    case nbiFixed = "nbi-fixed"
    case geojson
    /// Delimited text with named columns.
    case csv
}

/// Reads clearance files of any known layout.
package enum ClearanceFile {
    /// Adds what a file holds to `collection`.
    ///
    /// - Parameter format: nil: what the file's first lines look like.
    /// - Throws: where the file cannot be opened, or is of another layout. A single bad row is a reject.
    package static func read(
        _ path: String, as format: ClearanceFormat? = nil, into collection: inout ClearanceCollection
    ) throws(FileError) {
        let file = try MappedFile(path)
        try file.requireNoUTF16(path)
        var lines = TextLines(file, path: path)
        switch format ?? detect(lines) {
        case .geojson: try ClearanceGeoJSONReader().read(GeoJSONFile(file, path: path), into: &collection)
        case .nbiFixed: NBIFixedWidthReader().read(&lines, into: &collection)
        case .nbi:
            guard let reader = firstLine(&lines).flatMap(NBIDelimitedReader.init) else {
                throw FileError(
                    path: path, reason: "has no NBI header (STATE_CODE_001, STRUCTURE_NUMBER_008, …)")
            }
            reader.read(&lines, into: &collection)
        case .csv:
            guard let reader = firstLine(&lines).flatMap(ClearanceCSVReader.init) else {
                throw FileError(path: path, reason: "has no header with lat, lon and clearance or height")
            }
            reader.read(&lines, into: &collection)
        case nil:
            throw FileError(
                path: path, reason: "is neither NBI (delimited or fixed width) nor GeoJSON nor CSV with a header")
        }
    }

    /// Reads the files that `roads build` takes: GeoJSON as `clearances convert` writes it.
    package static func readGeoJSON(_ paths: [String]) throws(FileError) -> ClearanceCollection {
        var collection = ClearanceCollection()
        for path in paths {
            let file = GeoJSONFile(try MappedFile(path), path: path)
            do throws(FileError) {
                try ClearanceGeoJSONReader().read(file, into: &collection)
            } catch {
                throw FileError(
                    path: error.path,
                    reason: "\(error.reason); `headroom clearances convert` makes GeoJSON of NBI and CSV files")
            }
        }
        return collection
    }

    private static func firstLine(_ lines: inout TextLines) -> Row? {
        while let row = lines.next() {
            if !row.isBlank { return row }
        }
        return nil
    }

    /// Looks at the first lines: the very first record of a file may be the damaged one.
    private static func detect(_ lines: TextLines) -> ClearanceFormat? {
        let sample = lines.lazy.filter { !$0.isBlank }.prefix(20)
        guard let first = sample.first(where: { _ in true }) else { return nil }
        // GeoJSON texts may begin with a record separator (RFC 8142).
        if first.text.first(where: { !$0.isWhitespace && $0 != "\u{1E}" }) == "{" { return .geojson }
        if NBIDelimitedReader(header: first) != nil { return .nbi }
        if ClearanceCSVReader(header: first) != nil { return .csv }
        return sample.contains(where: NBIFixedWidthReader.recognises) ? .nbiFixed : nil
    }
}

extension ClearanceReject {
    /// `line,reason,raw,file` with a header, as spreadsheets read it.
    package static func table(_ rejects: [ClearanceReject]) -> [UInt8] {
        func quoted(_ text: String) -> String {
            "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        let rows = rejects.map { "\($0.line),\(quoted($0.message)),\(quoted($0.raw)),\(quoted($0.file))" }
        return Array((["line,reason,raw,file"] + rows).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }
}
