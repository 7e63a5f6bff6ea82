import Geo
import Messages

/// A track as a GeoJSON Feature. `times`, `accuracies`, `speeds` and `courses` have one element for each position.
enum TrackGeoJSON {
    static func document(of vehicle: VehicleID, _ fixes: [Fix]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "Feature")
            writer.name("geometry")
            writeGeometry(&writer, fixes)
            writer.member("properties") { writer in
                writer.member("vehicle", vehicle.text)
                writer.member("times", each: fixes) { $0.string(RFC3339.text($1.time)) }
                writer.member("accuracies", each: fixes) { $0.write($1.accuracy, decimals: 1) }
                writer.member("speeds", each: fixes) { $0.write($1.speed, decimals: 2) }
                writer.member("courses", each: fixes) { $0.write($1.course, decimals: 1) }
            }
        }
    }

    private static func writeGeometry(_ writer: inout JSONWriter, _ fixes: [Fix]) {
        guard let first = fixes.first else { return writer.null() }
        writer.object { writer in
            if fixes.count == 1 {
                writer.member("type", "Point")
                writer.name("coordinates")
                writer.write(first)
            } else {
                // A LineString has two positions or more (RFC 7946 §3.1.4).
                writer.member("type", "LineString")
                writer.member("coordinates", each: fixes) { $0.write($1) }
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
