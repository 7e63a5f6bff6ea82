import Geo
import Hashing
import Messages

extension Fence {
    /// The same for fences that hold in the same places, times and for the same vehicles, in every version and on every
    /// machine: 64-bit FNV-1a over all that it says but its name.
    ///
    /// It tells, also after a restart, whether a fence is the one that vehicles were told of. Another name is no reason to
    /// tell them again.
    var digest: Int64 {
        var hash = StableHash()
        hash.add(id)
        hash.add(shape)
        hash.add(groups)
        hash.add(vehicles.map(\.text))
        hash.add(dwell)
        hash.add(hysteresis)
        hash.add(hours?.zone)
        hash.add(hours?.week)
        hash.add(validFrom?.milliseconds)
        hash.add(validUntil?.milliseconds)
        return Int64(bitPattern: hash.value)
    }
}

private struct StableHash {
    private var hash = FNV1a()

    var value: UInt64 { hash.value }

    private mutating func add(byte: UInt8) { hash.combine(byte) }

    private mutating func add(bits: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }

    /// A mark before each member tells none from an empty one.
    mutating func add(_ text: String?) {
        add(byte: text == nil ? 0 : 1)
        for byte in (text ?? "").utf8 { add(byte: byte) }
        add(byte: 0xFF)
    }

    mutating func add(_ texts: [String]) {
        add(bits: UInt64(texts.count))
        for text in texts { add(text) }
    }

    mutating func add(_ number: Double?) {
        add(byte: number == nil ? 0 : 1)
        add(bits: (number ?? 0).bitPattern)
    }

    mutating func add(_ number: Int64?) {
        add(byte: number == nil ? 0 : 1)
        add(bits: UInt64(bitPattern: number ?? 0))
    }

    mutating func add(_ shape: Shape) {
        switch shape {
        case .circle(let circle):
            add(byte: 1)
            add([circle.center])
            add(circle.radius)
        case .polygons(let polygons):
            add(byte: 2)
            for polygon in polygons {
                add(bits: UInt64(polygon.holes.count))
                add(polygon.outer)
                for hole in polygon.holes { add(hole) }
            }
        case .corridor(let corridor):
            add(byte: 3)
            add(corridor.line)
            add(corridor.width)
        }
    }

    private mutating func add(_ points: [Coordinate]) {
        add(bits: UInt64(points.count))
        for point in points {
            add(bits: point.latitude.bitPattern)
            add(bits: point.longitude.bitPattern)
        }
    }
}
