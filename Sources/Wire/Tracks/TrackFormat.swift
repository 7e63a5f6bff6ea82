package import Messages

/// A format in which a vehicle's track is written.
package enum TrackFormat: String, CaseIterable, Sendable {
    /// One Feature (RFC 7946): a LineString, a MultiLineString cut where the track crosses the antimeridian, a Point where
    /// there is one fix only, or null.
    case geojson
    /// GPX 1.1, speed and course in Garmin's TrackPointExtension version 2.
    case gpx
    /// `vehicle,time,lat,lon,accuracy,speed,course` in metres, metres a second and degrees; what is not known is empty.
    case csv

    /// As HTTP names it.
    package var contentType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .gpx: "application/gpx+xml"
        case .csv: "text/csv"
        }
    }

    /// The whole document, with a line feed at its end.
    ///
    /// - Parameter fixes: by time.
    package func document(of vehicle: VehicleID, _ fixes: [Fix]) -> [UInt8] {
        switch self {
        case .geojson: TrackGeoJSON.document(of: vehicle, fixes) + [UInt8(ascii: "\n")]
        case .gpx: Array(TrackGPX.document(of: vehicle, fixes).utf8)
        case .csv: Array(TrackCSV.document(of: vehicle, fixes).utf8)
        }
    }
}
