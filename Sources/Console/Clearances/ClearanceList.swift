import Algorithms
import Clearances
import Fleet
import Geo
import Hashing
import Messages
import Roads

/// The clearances in force, by id: those of the road file, and those of files and topics.
struct ClearanceList: Sendable {
    struct Item: Sendable {
        /// What a page of the list ends with.
        @BytewiseText var key: String
        @BytewiseText var id: String
        var position: Coordinate
        var origin: Origin
        fileprivate var source: Source
    }

    enum Origin: String {
        case map, file, topic
    }

    fileprivate enum Source: Sendable {
        /// A clearance of a network, which has all that is in force where there is one.
        case network(RoadNetwork, ClearanceID)
        /// Without a road file.
        case entry
    }

    let items: [Item]
    /// As they were entered, by id.
    private let entries: [BytewiseText: (clearance: PointClearance, origin: EntryOrigin)]
    /// By clearance: the first edge that it limits.
    private let roads: [ClearanceID: EdgeID]

    init(_ map: MapSnapshot) {
        entries = map.clearances
        let limits = map.network?.limitedEdges ?? []
        roads = Dictionary(limits.map { ($0.clearance, $0.edge) }, uniquingKeysWith: { first, _ in first })
        items =
            map.network.map { Self.items(of: $0, entries: map.clearances.mapValues(\.origin)) }
            ?? map.clearances.map { id, entry in
                Item(
                    key: id.wrappedValue, id: id.wrappedValue, position: entry.clearance.position,
                    origin: Origin(entry.origin), source: .entry)
            }.sorted { $0.$key < $1.$key }
    }

    private static func items(of network: RoadNetwork, entries: [BytewiseText: EntryOrigin]) -> [Item] {
        var seen: [BytewiseText: Int] = [:]
        return (0..<network.clearanceCount).map { index in
            let clearance = network.clearance(ClearanceID(index))
            let count = seen[clearance.$id, default: 0] + 1
            seen[clearance.$id] = count
            return Item(
                // A way of the map whose directions differ has two; no id has a control character.
                key: count == 1 ? clearance.id : "\(clearance.id)\u{1}\(count)", id: clearance.id,
                position: clearance.position, origin: entries[clearance.$id].map(Origin.init) ?? .map,
                source: .network(network, ClearanceID(index)))
        }.sorted { $0.$key < $1.$key }
    }

    /// All under one id; of several the map's directions.
    func withID(_ id: String) -> [Item] {
        let id = BytewiseText(id)
        return Array(items[items.partitioningIndex { $0.$key >= id }...].prefix { $0.$id == id })
    }

    /// As it was entered; nil for one of the map.
    func entry(_ item: Item) -> PointClearance? { entries[item.$id]?.clearance }

    func clearance(_ item: Item) -> Clearance? {
        switch item.source {
        case .network(let network, let id): network.clearance(id)
        case .entry: entry(item).map { Clearance($0) }
        }
    }

    func reading(_ item: Item) -> ClearanceReading? {
        switch item.source {
        case .network(let network, let id): network.reading(id)
        case .entry: entry(item)?.reading
        }
    }

    /// The road that it limits, else the one that was entered; nil where none is known or it has no name.
    func road(_ item: Item) -> String? {
        guard case .network(let network, let id) = item.source else { return enteredRoad(item) }
        return roads[id].flatMap { network.title($0) } ?? enteredRoad(item)
    }

    /// Nil where none was.
    func enteredRoad(_ item: Item) -> String? { entry(item).flatMap { $0.road.isEmpty ? nil : $0.road } }

    func status(_ item: Item) -> Status {
        guard case .network(let network, let id) = item.source else { return .unsnapped }
        switch network.status(id) {
        case .inForce: return .inForce
        case .unsnapped: return .unsnapped
        case .merged: return .merged
        }
    }

    /// What it counts for.
    enum Status: String, CaseIterable {
        case inForce = "in-force"
        /// No road is known that it limits: judged by straight line.
        case unsnapped
        /// It tells of the same structure as a lower one.
        case merged
    }
}

extension ClearanceList.Origin {
    fileprivate init(_ origin: EntryOrigin) {
        self = origin == .file ? .file : .topic
    }
}
