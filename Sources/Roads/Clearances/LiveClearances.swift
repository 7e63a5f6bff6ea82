public import Clearances
public import Geo
import Hashing

/// The clearances that arrive while roads are in use, from files and from topics, laid over a finished network.
///
/// One with the id of a clearance of the road file takes its place. Where that one is the map's (`osm:way:4711` with
/// a height), it stays where the map has it, with what the new one says; where it came from a file of points, the new
/// one is placed anew. Removing brings back what the road file has.
public struct LiveClearances: Sendable {
    /// Where a clearance comes from. On one id the topic wins; when it is removed there, the file's is in force again.
    public enum Origin: Sendable {
        case file, topic
    }

    /// What became of a clearance that was set.
    public enum Outcome: Hashable, Sendable {
        /// Equal to what is set already: nothing changes.
        case unchanged
        /// It limits the roads of a clearance of the map.
        case overriding
        /// It limits a road.
        case snapped
        /// No road was found: it limits none and is judged by straight line.
        case unsnapped(SnappingError)
        /// `countMax` are set already; it is not kept.
        case tooMany
    }

    /// Every batch of changes goes through all of them once, and through the structures that it concerns: with the hazards of fifty
    /// heights in 0.1 s for so many (on one extract). Beyond, a road file is the place (`roads build --clearances`).
    public static let countMax = 100_000

    private let mapped: MappedClearances
    private let snapping: RoadSnapping
    private var files: [BytewiseText: LiveClearance] = [:]
    private var topics: [BytewiseText: LiveClearance] = [:]
    /// A topic's before a file's of the same id.
    public private(set) var inForce: ClearancesInForce

    /// - Parameters:
    ///   - network: as its road file has it, without other live clearances.
    ///   - snapDistance: how far from the road that it limits a clearance may lie.
    public init(_ network: RoadNetwork, snapDistance: Metres = 40) {
        mapped = MappedClearances(network)
        inForce = ClearancesInForce(mapped)
        snapping = RoadSnapping(network: network, snapDistance: snapDistance)
    }

    /// See `ClearancesInForce`.
    public var network: RoadNetwork { mutating get { inForce.network } }

    /// What the road file says under an id, the lower of both directions; nil where it has none of that id.
    public func mappedReading(_ id: String) -> ClearanceReading? {
        let readings = mapped.withID(id).map(mapped.network.reading)
        return readings.first.map { first in readings.dropFirst().reduce(first) { $0.merged(with: $1) } }
    }

    /// Adds a clearance, or replaces the one of its id. What is limited is decided here, once.
    public mutating func set(_ clearance: PointClearance, from origin: Origin = .topic) -> Outcome {
        let known = self[origin][clearance.$id]
        if known?.clearance == clearance { return .unchanged }
        guard known != nil || files.count + topics.count < Self.countMax else { return .tooMany }
        let placed = placed(clearance)
        self[origin][clearance.$id] = placed
        noteChange(of: clearance.$id)
        return placed.placement.outcome
    }

    /// - Returns: whether there was one of that id.
    @discardableResult
    public mutating func remove(_ id: String, from origin: Origin = .topic) -> Bool {
        let id = BytewiseText(id)
        guard self[origin].removeValue(forKey: id) != nil else { return false }
        noteChange(of: id)
        return true
    }

    /// All clearances of an origin at once, as when files are read again: others of that origin are removed.
    ///
    /// - Returns: what became of each, in their order. Of several with one id the last counts.
    public mutating func replaceAll(from origin: Origin, with clearances: [PointClearance]) -> [Outcome] {
        let kept = Set(clearances.map(\.$id))
        for id in self[origin].keys.filter({ !kept.contains($0) }) { remove(id.wrappedValue, from: origin) }
        return clearances.map { set($0, from: origin) }
    }

    /// Takes up what a copy of `inForce` has made elsewhere meanwhile.
    public mutating func noteMade(_ network: RoadNetwork) { inForce.noteMade(network) }

    private subscript(origin: Origin) -> [BytewiseText: LiveClearance] {
        get { origin == .file ? files : topics }
        _modify {
            switch origin {
            case .file: yield &files
            case .topic: yield &topics
            }
        }
    }

    private mutating func noteChange(of id: BytewiseText) {
        inForce.set(id, topics[id] ?? files[id])
    }

    private func placed(_ clearance: PointClearance) -> LiveClearance {
        LiveClearance(clearance, placement(of: clearance), mapped)
    }

    private func placement(of clearance: PointClearance) -> LiveClearance.Placement {
        let known = mapped.withID(clearance.id)
        if let first = known.first, !mapped.isPoint(first) {
            return .overriding(neighbours: mapped.clearances(near: known.flatMap(mapped.places)))
        }
        do {
            let place = try snapping.place(clearance)
            return .snapped(place, neighbours: mapped.clearances(near: place.feet))
        } catch {
            return .unsnapped(error)
        }
    }
}

extension LiveClearance.Placement {
    fileprivate var outcome: LiveClearances.Outcome {
        switch self {
        case .overriding: .overriding
        case .snapped: .snapped
        case .unsnapped(let reason): .unsnapped(reason)
        }
    }
}
