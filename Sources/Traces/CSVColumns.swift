import Foundation
import Geo

/// Which column of delimited text holds what, by the names in its header.
///
/// A name may end in a unit: `speed_kmh`, `Speed (km/h)`, `altitude_ft`. Without one a column is in metres, metres per
/// second or degrees.
struct CSVColumns {
    enum Field: CaseIterable {
        case latitude, longitude, time, vehicle, accuracy, speed, course, altitude
    }

    struct Column {
        var index: Int
        /// What one of its unit is in metres, metres per second or degrees.
        var factor = 1.0
        /// Its times are in UTC, whether they say so or not.
        var isUTC = false
    }

    let count: Int
    /// Names of columns that hold nothing of a fix.
    let ignored: [String]
    private let columns: [Field: Column]

    /// - Throws: which column is missing, and what it may be called.
    init(_ header: [String]) throws(TraceError) {
        count = header.count
        var columns: [Field: Column] = [:]
        for field in Field.allCases { columns[field] = field.column(in: header.map(Self.plain)) }
        for field in [Field.latitude, .longitude, .time] where columns[field] == nil {
            throw TraceError(
                "no trace that can be read", "as CSV it has no column named \(field.names.joined(separator: " or "))")
        }
        self.columns = columns
        let used = Set(columns.values.map(\.index))
        ignored = header.indices.filter { !used.contains($0) }.map { header[$0] }
    }

    subscript(_ field: Field) -> Column? { columns[field] }

    /// `Speed (km/h)` is `speed_km_h`.
    private static func plain(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    }
}

extension CSVColumns.Field {
    /// The first that a header has is taken.
    var names: [String] {
        switch self {
        case .latitude: ["lat", "latitude"]
        case .longitude: ["lon", "lng", "long", "longitude"]
        case .time: ["time", "timestamp", "datetime", "date_time"]
        case .vehicle: ["vehicle", "vehicle_id", "device", "device_id", "id"]
        case .accuracy: ["accuracy", "horizontal_accuracy", "hacc", "acc"]
        case .speed: ["speed", "velocity"]
        case .course: ["course", "heading", "bearing"]
        case .altitude: ["altitude", "alt", "elevation", "ele"]
        }
    }

    /// By how it is written behind the name, the first that a header has is taken; see `CSVColumns.Column.factor`.
    private var units: KeyValuePairs<String, Double> {
        switch self {
        case .latitude, .longitude, .course: ["deg": 1, "degrees": 1]
        case .accuracy, .altitude: ["m": 1, "metres": 1, "meters": 1, "ft": Geo.Unit.foot, "feet": Geo.Unit.foot]
        case .speed:
            [
                "mps": 1, "m_s": 1, "ms": 1, "kmh": 1 / 3.6, "km_h": 1 / 3.6, "kph": 1 / 3.6,
                "mph": Geo.Unit.mile / 3600, "mi_h": Geo.Unit.mile / 3600,
                "kn": knot, "kt": knot, "kts": knot, "knots": knot,
            ]
        case .time: ["utc": 1, "s": 1, "ms": 1]
        case .vehicle: [:]
        }
    }

    fileprivate func column(in header: [String]) -> CSVColumns.Column? {
        for name in names {
            if let index = header.firstIndex(of: name) { return CSVColumns.Column(index: index) }
            for (unit, factor) in units {
                guard let index = header.firstIndex(of: "\(name)_\(unit)") else { continue }
                return CSVColumns.Column(index: index, factor: factor, isUTC: unit == "utc")
            }
        }
        return nil
    }
}

/// In metres per second.
private let knot: MetresPerSecond = 1852.0 / 3600
