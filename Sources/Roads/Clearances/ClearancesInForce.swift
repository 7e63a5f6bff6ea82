import Algorithms
import Clearances
import Hashing

/// Live clearances over a road file: those of topics, and those of files where a topic has none of that id.
///
/// A few change at a time: a change costs little, and to have all in order takes a look at each.
public struct ClearancesInForce: Sendable {
    private let mapped: MappedClearances
    /// By id.
    private var settled: [LiveClearance] = []
    /// What has changed since, by id; nil: it is gone.
    private var changes: [BytewiseText: LiveClearance?] = [:]
    /// The last that was made.
    private var overlaid: RoadNetwork
    /// Whether it has all changes.
    private var isCurrent = true

    init(_ mapped: MappedClearances) {
        self.mapped = mapped
        overlaid = mapped.network
    }

    /// As the road file has them.
    public var roads: RoadNetwork { mapped.network }

    /// The road file's network, with all of them laid over it. Made at the first reading after a change, so that a batch of
    /// changes makes one; the same object as long as nothing changes.
    public var network: RoadNetwork {
        mutating get {
            if !isCurrent { (overlaid, isCurrent) = (makeNetwork(), true) }
            return overlaid
        }
    }

    /// Takes up what a copy of this has made meanwhile: the next network begins with it.
    mutating func noteMade(_ network: RoadNetwork) {
        if !isCurrent { overlaid = network }
    }

    private func makeNetwork() -> RoadNetwork {
        let clearances = inOrder
        guard !clearances.isEmpty else { return mapped.network }
        let former = overlaid.overlay ?? ClearanceOverlay(mapped.network)
        var assembly = OverlayAssembly(mapped, from: former, clearances)
        return mapped.network.overlaid(by: assembly.overlay())
    }

    /// - Parameter clearance: nil: there is none of that id any more.
    mutating func set(_ id: BytewiseText, _ clearance: LiveClearance?) {
        changes.updateValue(clearance, forKey: id)
        isCurrent = false
        guard changes.count > max(1_000, settled.count / 16) else { return }
        (settled, changes) = (inOrder, [:])
    }

    /// By id, so that the same clearances make the same network, whatever came first.
    var inOrder: [LiveClearance] {
        var result: [LiveClearance] = []
        result.reserveCapacity(settled.count + changes.count)
        var rest = settled[...]
        for (id, clearance) in changes.sorted(by: { $0.key < $1.key }) {
            let next = rest.partitioningIndex { $0.clearance.$id >= id }
            result += rest[..<next]
            rest = rest[next...]
            if rest.first?.clearance.$id == id { rest.removeFirst() }
            if let clearance { result.append(clearance) }
        }
        return result + rest
    }
}
