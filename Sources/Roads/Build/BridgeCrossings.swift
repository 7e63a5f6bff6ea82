import Geo

/// Bridges, of roads and of anything else, that may be what a height on a road beneath them is about.
struct BridgeCrossings {
    struct Bridge {
        var name: String
        var layer: Int
        var line: [Coordinate]
    }

    private let bridges: [(bridge: Bridge, box: Box)]

    init(_ bridges: [Bridge]) { self.bridges = bridges.map { ($0, Box($0.line)) } }

    /// Where the first bridge of a higher layer crosses `line`, and its name.
    func first(over line: [Coordinate], layer: Int) -> (position: Coordinate, name: String)? {
        let box = Box(line)
        var best: (metres: Metres, position: Coordinate, name: String)?
        for (bridge, bridgeBox) in bridges where bridge.layer > layer && box.meets(bridgeBox) {
            guard let found = Self.firstCrossing(of: line, and: bridge.line) else { continue }
            if found.metres < best?.metres ?? .infinity { best = (found.metres, found.position, bridge.name) }
        }
        return best.map { ($0.position, $0.name) }
    }

    private static func firstCrossing(
        of line: [Coordinate], and other: [Coordinate]
    ) -> (metres: Metres, position: Coordinate)? {
        var driven: Metres = 0
        for segment in zip(line, line.dropFirst()) {
            let fractions = zip(other, other.dropFirst()).compactMap { crossing(of: segment, and: $0) }
            let length = segment.0.distance(to: segment.1)
            if let fraction = fractions.min() {
                return (driven + fraction * length, segment.0.interpolated(to: segment.1, fraction: fraction))
            }
            driven += length
        }
        return nil
    }

    private struct Box {
        var south = 90.0
        var north = -90.0
        var west = 180.0
        var east = -180.0

        init(_ line: [Coordinate]) {
            for point in line {
                south = min(south, point.latitude)
                north = max(north, point.latitude)
                west = min(west, point.longitude)
                east = max(east, point.longitude)
            }
        }

        func meets(_ other: Box) -> Bool {
            south <= other.north && other.south <= north && west <= other.east && other.west <= east
        }
    }
}
