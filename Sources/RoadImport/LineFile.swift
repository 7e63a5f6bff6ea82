package import Geo
import Messages
import Wire

/// A GeoJSON file of lines: FeatureCollections or Features, one after another.
package enum LineFile {
    package struct Feature {
        package var points: [Coordinate]
        /// The Feature as it stands in the file.
        package var bytes: [UInt8]
        /// `feature 2 (line 14)`: the first is 1.
        package var place: String
    }

    /// Each LineString, in the order in which they stand.
    ///
    /// - Throws: where the file cannot be read, is no GeoJSON, has no line, or has another geometry; with the Feature's place.
    package static func features(_ path: String) throws(FileError) -> [Feature] {
        var features: [Feature] = []
        var problem: String?
        let reader = RouteReader()
        try GeoJSONFile(MappedFile(path), path: path).read { bytes, line in
            guard problem == nil else { return nil }
            let place = "feature \(features.count + 1) (line \(line))"
            do throws(RejectedPart) {
                // A line is given as a route is.
                if case .line(let points) = try reader.route(bytes) {
                    features.append(Feature(points: points, bytes: bytes, place: place))
                } else {
                    problem = "\(place): expected a LineString Feature, got waypoints"
                }
            } catch {
                problem = "\(place): \(error.problem?.description ?? error.reason.rawValue)"
            }
            return nil
        }
        if let problem { throw FileError(path: path, reason: problem) }
        guard !features.isEmpty else { throw FileError(path: path, reason: "expected LineString Features, got none") }
        return features
    }
}
