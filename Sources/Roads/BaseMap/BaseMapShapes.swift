import BinaryCoding
import Geo

/// The points of a feature as bytes: differences in 1e-6 degrees, 0.1 m, which is less than any level keeps.
enum BaseMapShapes {
    private static let unit = 1e6

    /// The place that comes back.
    static func rounded(_ place: Coordinate) -> Coordinate {
        Coordinate(
            latitude: (place.latitude * unit).rounded() / unit, longitude: (place.longitude * unit).rounded() / unit)
    }

    static func append(_ parts: [BaseMapFeature.Part], to encoder: inout BinaryEncoder) {
        var last = SIMD2<Int64>(0, 0)
        encoder.append(number: UInt64(parts.count))
        for part in parts {
            encoder.append(number: UInt64(part.line.count))
            encoder.append(number: part.isHole ? 1 : 0)
            for place in part.line {
                let next = SIMD2(Int64((place.latitude * unit).rounded()), Int64((place.longitude * unit).rounded()))
                encoder.append(signed: next.x &- last.x)
                encoder.append(signed: next.y &- last.y)
                last = next
            }
        }
    }

    static func parts(_ bytes: UnsafeRawBufferPointer) throws(BinaryCodingError) -> [BaseMapFeature.Part] {
        var decoder = BinaryDecoder(bytes)
        var last = SIMD2<Int64>(0, 0)
        var parts: [BaseMapFeature.Part] = []
        for _ in 0..<(try decoder.length()) {
            let count = try decoder.length()
            var part = BaseMapFeature.Part(isHole: try decoder.number() == 1, line: [])
            guard count > 0 else { throw decoder.unreadable("a point") }
            part.line.reserveCapacity(count)
            for _ in 0..<count {
                last.x &+= try decoder.signed()
                last.y &+= try decoder.signed()
                part.line.append(Coordinate(latitude: Double(last.x) / unit, longitude: Double(last.y) / unit))
                guard part.line[part.line.count - 1].isValid else { throw decoder.unreadable("a place on the earth") }
            }
            parts.append(part)
        }
        try decoder.finish()
        return parts
    }
}
