import Fleet
package import Geo
package import Messages
import Testing

extension Timestamp {
    /// Seconds after 2026-11-21T14:00:00Z, where all timelines begin.
    package static func at(_ seconds: Seconds) -> Timestamp {
        Timestamp(milliseconds: 1_795_269_600_000).adding(seconds)
    }

    /// The same, back.
    package var seconds: Seconds { since(.at(0)) }
}

/// Fixes along a line at a steady speed, exact to the centimetre.
package struct Journey {
    package var line: [Coordinate]
    package var speed: MetresPerSecond
    package var every: Seconds
    /// When and where on the line the first fix is.
    package var start: Seconds
    package var offset: Metres
    /// Whether the device tells speed and course as well.
    package var isFluent: Bool

    package init(
        line: [Coordinate], speed: MetresPerSecond = 20, every: Seconds = 10, start: Seconds = 0, offset: Metres = 7,
        isFluent: Bool = true
    ) {
        (self.line, self.speed, self.every) = (line, speed, every)
        (self.start, self.offset, self.isFluent) = (start, offset, isFluent)
    }

    package var length: Metres { zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) } }

    package var fixes: [Fix] {
        stride(from: offset, through: length, by: speed * every).map { metres in
            let (position, course) = place(metres)
            return Fix(
                position: position, time: .at(start + (metres - offset) / speed), accuracy: isFluent ? 5 : nil,
                speed: isFluent ? speed : nil, course: isFluent ? course : nil)
        }
    }

    private func place(_ metres: Metres) -> (Coordinate, Degrees) {
        var rest = metres
        for (a, b) in zip(line, line.dropFirst()) {
            let length = a.distance(to: b)
            if rest <= length { return (a.interpolated(to: b, fraction: rest / length), a.bearing(to: b)) }
            rest -= length
        }
        return (line[line.count - 1], line[line.count - 2].bearing(to: line[line.count - 1]))
    }
}
