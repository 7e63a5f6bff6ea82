import Fleet
import Geo
import Messages
import Roads

/// The roads of a picture's map, one path for each class.
struct RoadLayer {
    /// A picture is to load at once: beyond so many bytes the lesser classes are left out.
    private static let bytesMax = 140_000

    struct Stratum {
        var roadClass: RoadClass
        var pathData: String

        /// A motorway is six times as wide as a service road; all grow thinner on a map of a whole region.
        ///
        /// - Parameter scale: picture units for each metre.
        func width(scale: Double) -> Double {
            usualWidth * min(1, max(0.3, scale / 0.25))
        }

        private var usualWidth: Double {
            switch roadClass {
            case .service: 1.2
            case .livingStreet, .road, .residential: 2
            case .unclassified: 2.4
            case .tertiary: 3.2
            case .secondary: 4
            case .primary: 5
            case .trunk: 6
            case .motorway: 7
            }
        }
    }

    /// The least important first, as they are drawn.
    let strata: [Stratum]

    init(_ network: RoadNetwork, _ frame: PlotFrame) {
        let (centre, radius) = frame.surroundings
        // One direction of each road.
        let edges = network.edges(within: radius, of: centre).map(\.edge).filter { edge in
            network.reverse(edge).map { edge < $0 } ?? true
        }
        let byClass = Dictionary(grouping: edges, by: network.roadClass)
        var bytes = 0
        var strata: [Stratum] = []
        for roadClass in RoadClass.allCases.reversed() {
            let data = (byClass[roadClass] ?? []).map { Self.pathData(network.line($0), frame) }.joined()
            bytes += data.utf8.count
            guard bytes <= Self.bytesMax else { break }
            if !data.isEmpty { strata.append(Stratum(roadClass: roadClass, pathData: data)) }
        }
        self.strata = strata.reversed()
    }

    /// Empty for a road that lies beyond one side of the map.
    private static func pathData(_ line: [Coordinate], _ frame: PlotFrame) -> String {
        let (points, map) = (frame.points(line), frame.map.widened(by: 10))
        let isBeyond =
            points.allSatisfy { $0.x < map.left } || points.allSatisfy { $0.x > map.right }
            || points.allSatisfy { $0.y < map.top } || points.allSatisfy { $0.y > map.bottom }
        return isBeyond ? "" : SVG.pathData(points)
    }
}
