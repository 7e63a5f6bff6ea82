public import Geo

/// The roads from which a hazard's decisions may be near enough for an alert: elsewhere nothing can happen to a vehicle of
/// that height, whatever way it takes.
public final class AlertZone: Sendable {
    /// What leads to the hazards of one square of the map.
    private final class Part: EdgeBlockPart {
        /// Edges at whose end, or on which, something is decided; ascending.
        let sources: [EdgeID]
        /// From the ends of edges on the map, along the road, to the end of the next of them; by edge, ascending.
        let distances: [(edge: EdgeID, metres: Metres)]
        /// Which of them are of a block of edges.
        let byBlock: [Int: Range<Int>]
        let blocks: Set<Int>
        /// Round all of it; nil where nothing leads there.
        let bounds: Bounds?
        /// Of edges by their position in `distances`: a box for each of their segments takes four times as long to make.
        private let index: BoxIndex
        private let segments: [(start: Coordinate, end: Coordinate)]
        /// Which segments are of the edge at the same position in `distances`.
        private let segmentsOfEdges: [Range<Int>]

        init(_ network: RoadNetwork, _ sources: [EdgeID], _ reach: Metres, _ memory: EdgeDistances) {
            self.sources = sources
            distances = AlertZone.distances(network, to: sources, reach, memory)
            byBlock = distances.indices.reduce(into: [:]) { [distances] byBlock, index in
                let block = distances[index].edge.block
                byBlock[block] = (byBlock[block]?.lowerBound ?? index)..<(index + 1)
            }
            blocks = Set(byBlock.keys)
            var segments: [(start: Coordinate, end: Coordinate)] = []
            segmentsOfEdges = distances.map { edge, metres in
                let first = segments.count
                segments += AlertZone.segments(of: edge, within: reach - metres, network)
                return first..<segments.count
            }
            let boxes = segmentsOfEdges.enumerated().compactMap { [segments] item, range in
                Bounds(enclosing: segments[range].map { Bounds($0.start, $0.end) }).map { (box: $0, item: item) }
            }
            bounds = Bounds(enclosing: boxes.map(\.box))
            index = BoxIndex(boxes)
            self.segments = segments
        }

        /// How far the nearest of these roads is; nil where none is within `limit`.
        func distance(from position: Coordinate, within limit: Metres) -> Metres? {
            let plane = LocalPlane(latitude: position.latitude)
            var best: Metres?
            index.nearest(to: position, within: limit) { item, _ in
                for segment in segments[segmentsOfEdges[item]] {
                    let start = plane.vector(from: position, to: segment.start)
                    let end = plane.vector(from: position, to: segment.end)
                    let distance = projectOrigin(onto: start, end).distance
                    if distance < best ?? limit { best = distance }
                }
                return best ?? limit
            }
            return best
        }
    }

    /// No alert begins farther than this before a decision, along the road.
    public let reach: Metres
    /// By edge of a block: how far it is along the road from the end of the edge to the end of the next on which something is
    /// decided; infinite beyond the reach. A block is empty where none of its edges leads there.
    private let blocks: EdgeBlocks<MapSquare, Part, Metres>
    /// Where the parts are; items are positions in `nearby`.
    private let index: BoxIndex
    private let nearby: [Part]

    /// - Parameters:
    ///   - tables: of the hazards that the vehicle is told of.
    ///   - reach: no alert begins farther than this before a decision turn, along the road.
    ///   - others: other zones of the same roads, the likest first: what is the same in both is taken from them.
    ///   - memory: of the same roads; nil: none is kept.
    public init(
        _ network: RoadNetwork, _ tables: [HazardTable], reach: Metres, from others: [AlertZone] = [],
        memory: SearchMemory? = nil
    ) {
        self.reach = reach
        let others = others.filter { $0.reach == reach }.map(\.blocks)
        let memory = SearchMemory.of(memory, for: network).distances
        let sources = tables.flatMap(\.sources).sorted()
        let parts = Dictionary(grouping: sources) { MapSquare(network.coordinate(network.to($0))) }
            .reduce(into: [MapSquare: Part]()) { parts, square in
                let known = others.lazy.compactMap { $0.parts[square.key] }.first { $0.sources == square.value }
                parts[square.key] = known ?? Part(network, square.value, reach, memory)
            }
        let nearby = parts.sorted { $0.key < $1.key }.map(\.value)
        blocks = EdgeBlocks(parts, network, from: others) { block in Self.distances(block, of: nearby) }
        index = BoxIndex(nearby.enumerated().compactMap { item, part in part.bounds.map { (box: $0, item: item) } })
        self.nearby = nearby
    }

    private static func distances(_ block: Int, of parts: [Part]) -> [Metres] {
        var distances: [Metres] = []
        for part in parts {
            guard let rows = part.byBlock[block] else { continue }
            if distances.isEmpty { distances = Array(repeating: .infinity, count: EdgeID.blockSize) }
            for (edge, metres) in part.distances[rows] {
                let place = Int(edge.index) % EdgeID.blockSize
                distances[place] = min(distances[place], metres)
            }
        }
        return distances
    }

    /// How far it is at least, along legal turns from an edge's end, to the end of one on which something is decided; infinite
    /// beyond the reach.
    ///
    /// - Parameter edge: on the map; what holds for it holds for its shadows.
    public func distanceToDecision(after edge: EdgeID) -> Metres {
        let block = blocks[edge.block]
        return block.isEmpty ? .infinity : block[Int(edge.index) % EdgeID.blockSize]
    }

    /// Whether a place lies on one of these roads.
    public func contains(_ place: RoadPosition, _ network: RoadNetwork) -> Bool {
        distanceToDecision(from: place, network) <= reach
    }

    /// How far it is at least, along legal turns, to the end of an edge on which something is decided; infinite beyond the reach.
    public func distanceToDecision(from place: RoadPosition, _ network: RoadNetwork) -> Metres {
        network.length(place.edge) - place.offset + distanceToDecision(after: network.original(place.edge))
    }

    /// How far the nearest of these roads is; nil where none is within `limit`.
    public func distance(from position: Coordinate, within limit: Metres) -> Metres? {
        var best: Metres?
        index.nearest(to: position, within: limit) { item, _ in
            best = nearby[item].distance(from: position, within: best ?? limit) ?? best
            return best ?? limit
        }
        return best
    }

    /// Round the roads of this zone or another one of the same roads that are not the same in both, by squares of the map.
    package func bounds(differingFrom other: AlertZone) -> [Bounds] {
        other === self ? [] : blocks.parts(differingFrom: other.blocks).compactMap(\.bounds)
    }

    /// - Returns: by edge, ascending.
    private static func distances(
        _ network: RoadNetwork, to sources: [EdgeID], _ reach: Metres, _ memory: EdgeDistances
    ) -> [(edge: EdgeID, metres: Metres)] {
        var frontier = Frontier(sources, memory)
        var found = EdgeMap<Metres>()
        while let (edge, distance) = frontier.next() {
            let original = network.original(edge)
            if found[original] == nil { found.set(original, distance) }
            let next = distance + network.length(edge)
            guard next <= reach else { continue }
            for previous in network.predecessors(edge) { _ = frontier.add(previous, next) }
        }
        return found.map { (edge: $0, metres: $1) }.sorted { $0.edge < $1.edge }
    }

    /// The pieces of an edge that are at most so far from its end.
    private static func segments(
        of edge: EdgeID, within reach: Metres, _ network: RoadNetwork
    ) -> [(start: Coordinate, end: Coordinate)] {
        var rest = reach
        var pieces: [(start: Coordinate, end: Coordinate)] = []
        let line = network.points(of: edge)
        for (end, start) in zip(line.reversed(), line.reversed().dropFirst()) {
            guard rest >= 0 else { break }
            pieces.append((start, end))
            rest -= start.distance(to: end)
        }
        return pieces
    }
}

extension HazardTable {
    /// Edges at whose end, or on which, it is decided whether a truck comes to a hazard; with those on which it no longer is. Some
    /// are there several times.
    fileprivate var sources: [EdgeID] { decisions.keys + tooLate.keys + leading.keys + entries.keys + zones.keys }
}
