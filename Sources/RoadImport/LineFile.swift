package import Geo
import Messages
import Wire

/// A GeoJSON file of lines: FeatureCollections or Features, one after another.
package enum LineFile {
    /// The points of each LineString, in the order in which they stand.
    ///
    /// - Throws: where the file cannot be read, is no GeoJSON, has no line, or has another geometry; with the line of the file.
    package static func lines(_ path: String) throws(FileError) -> [[Coordinate]] {
        var lines: [[Coordinate]] = []
        var problem: (line: Int, text: String)?
        let decoder = WireDecoder()
        try GeoJSONFile(MappedFile(path), path: path).read { bytes, line in
            // A trip is given as a route is.
            let decoded = decoder.decode(
                topic: "fleet/trip/route", payload: bytes, retained: false, receivedAt: Timestamp(milliseconds: 0))
            if case .route(.line(let points)?)? = decoded.first?.reports.first {
                lines.append(points)
            } else if problem == nil {
                let reason = decoded.first?.rejected.first?.problem.map { "\($0)" }
                problem = (line, reason ?? "expected a LineString Feature, got something else")
            }
            return nil
        }
        if let problem { throw FileError(path: path, reason: "line \(problem.line): \(problem.text)") }
        guard !lines.isEmpty else { throw FileError(path: path, reason: "expected LineString Features, got none") }
        return lines
    }
}
