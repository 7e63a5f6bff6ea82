import Clearances
import Geo
import Roads

/// What people look for on the map: places and streets of the road file, by folded names.
struct PlaceIndex: Sendable {
    struct Found: Sendable {
        /// `street`, `bridge`, or the kind of a place.
        var kind: String
        var name: String
        /// The place that it lies in or near; nil where none is known.
        var near: String?
        var position: Coordinate
        fileprivate var rank: Rank
    }

    /// How well a name is met, then what it is, then how far away it is.
    fileprivate struct Rank: Comparable {
        var match: Int
        var kind: Int
        var distance: Metres
        var name: String

        static func < (a: Rank, b: Rank) -> Bool {
            (a.match, a.kind, a.distance, a.name) < (b.match, b.kind, b.distance, b.name)
        }
    }

    /// Streets of one name whose parts lie farther apart are two.
    private static let streetGap: Metres = 2000
    /// A place that names what lies near it.
    private static let nearMax: Metres = 15_000
    /// Of the ways of one name that are looked at: those of the commonest name in a large country.
    private static let waysMax = 20_000

    private let network: RoadNetwork
    private let streets: [(folded: String, name: String, edges: [EdgeID])]
    private let places: [(folded: String, name: String, kind: BaseMapKind, position: Coordinate)]
    private let placeIndex: BoxIndex

    init(of network: RoadNetwork) {
        self.network = network
        streets = network.namedStreets().map { ($0.name.folded, $0.name, $0.edges) }
        // A damaged layer is told by who draws it; streets are found without it.
        let named = (try? network.namedPlaces()) ?? []
        places = named.compactMap { place in
            place.parts.first?.line.first.map { (place.name.folded, place.name, place.kind, $0) }
        }
        placeIndex = BoxIndex(
            places.enumerated().map { item, place in (box: Bounds(place.position, place.position), item: item) })
    }

    /// The best first.
    ///
    /// - Parameters:
    ///   - text: as people type it.
    ///   - clearances: whose names and roads are sought, too.
    ///   - origin: what is near comes before what is far; nil: by name alone.
    func search(_ text: String, _ clearances: ClearanceList, from origin: Coordinate?, limit: Int) -> [Found] {
        let sought = text.folded
        var found: [Found] = []
        for place in places {
            guard let match = Self.match(sought, place.folded) else { continue }
            found.append(make(place.kind.tag, Int(place.kind.rawValue), place.name, place.position, match, origin))
        }
        for street in streets {
            guard let match = Self.match(sought, street.folded) else { continue }
            for position in positions(street.edges) {
                found.append(make("street", 101, street.name, position, match, origin))
            }
        }
        for item in clearances.items {
            guard let name = clearances.clearance(item)?.name, !name.isEmpty,
                let match = Self.match(sought, name.folded)
            else { continue }
            found.append(make("bridge", 100, name, item.position, match, origin))
        }
        return found.sorted { $0.rank < $1.rank }.prefix(limit).map { found in
            var found = found
            found.near = near(found)
            return found
        }
    }

    /// 0 the same, 1 its beginning, 2 the beginning of a word, 3 anywhere; nil: not in it.
    private static func match(_ sought: String, _ text: String) -> Int? {
        if text == sought { return 0 }
        if text.hasPrefix(sought) { return 1 }
        guard text.contains(sought) else { return nil }
        return text.contains(" " + sought) || text.contains("-" + sought) ? 2 : 3
    }

    private func make(
        _ kind: String, _ kindRank: Int, _ name: String, _ position: Coordinate, _ match: Int, _ origin: Coordinate?
    ) -> Found {
        let distance = origin.map { position.distance(to: $0) } ?? 0
        return Found(
            kind: kind, name: name, near: nil, position: position,
            rank: Rank(match: match, kind: origin == nil ? kindRank : 0, distance: distance, name: name))
    }

    /// One place for each street of the name: on the way of it that comes first.
    private func positions(_ edges: [EdgeID]) -> [Coordinate] {
        var positions: [Coordinate] = []
        var lasts: [Coordinate] = []
        for edge in edges.prefix(Self.waysMax) {
            let line = network.line(edge)
            let middle = line[line.count / 2]
            if let known = lasts.firstIndex(where: { $0.distance(to: middle) < Self.streetGap }) {
                lasts[known] = middle
            } else {
                positions.append(middle)
                lasts.append(middle)
            }
        }
        return positions
    }

    /// The nearest place.
    private func near(_ found: Found) -> String? {
        guard found.kind == "street" || found.kind == "bridge" else { return nil }
        let reach = Self.nearMax / 111_000
        let box = Bounds(
            south: found.position.latitude - reach, west: found.position.longitude - reach * 2,
            north: found.position.latitude + reach, east: found.position.longitude + reach * 2)
        var best: (distance: Metres, name: String)?
        placeIndex.search(box) { item in
            let distance = places[item].position.distance(to: found.position)
            if distance <= Self.nearMax, distance < best?.distance ?? .infinity { best = (distance, places[item].name) }
        }
        return best?.name
    }
}
