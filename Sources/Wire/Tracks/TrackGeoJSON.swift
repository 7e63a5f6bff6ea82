import Geo
import Messages

/// A track as a GeoJSON Feature. `times`, `accuracies`, `speeds` and `courses` have one element for each position, in the
/// order of the positions.
enum TrackGeoJSON {
    static func document(of vehicle: VehicleID, _ fixes: [Fix]) -> [UInt8] {
        let parts = TrackLines(fixes).parts
        let fixes = parts.flatMap(\.self)
        return JSONWriter.object { writer in
            writer.member("type", "Feature")
            writer.name("geometry")
            writeGeometry(&writer, parts)
            writer.member("properties") { writer in
                writer.member("vehicle", vehicle.text)
                writer.member("times", each: fixes) { $0.string(RFC3339.text($1.time)) }
                writer.member("accuracies", each: fixes) { $0.write($1.accuracy, decimals: 1) }
                writer.member("speeds", each: fixes) { $0.write($1.speed, decimals: 2) }
                writer.member("courses", each: fixes) { $0.write($1.course, decimals: 1) }
            }
        }
    }

    private static func writeGeometry(_ writer: inout JSONWriter, _ parts: [[Fix]]) {
        guard let first = parts.first else { return writer.null() }
        writer.object { writer in
            if parts.count > 1 {
                writer.member("type", "MultiLineString")
                writer.member("coordinates", each: parts) { $0.array($1) { $0.write($1) } }
            } else if first.count > 1 {
                writer.member("type", "LineString")
                writer.member("coordinates", each: first) { $0.write($1) }
            } else {
                // A LineString has two positions or more (RFC 7946 §3.1.4).
                writer.member("type", "Point")
                writer.name("coordinates")
                writer.write(first[0])
            }
        }
    }
}

extension JSONWriter {
    /// Longitude, latitude, and the altitude where it is known.
    fileprivate mutating func write(_ fix: Fix) {
        array([(fix.position.longitude, 7), (fix.position.latitude, 7)] + (fix.altitude.map { [($0, 1)] } ?? [])) {
            $0.number($1.0, decimals: $1.1)
        }
    }

    fileprivate mutating func write(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { null() }
    }
}
