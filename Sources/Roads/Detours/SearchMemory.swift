/// Memory of the searches over the edges of one network, kept from one table of hazards to the next: new memory costs two page faults
/// for each page, one of which interrupts every processor that runs the process.
///
/// Used by one thread at a time.
public final class SearchMemory {
    let distances: EdgeDistances
    let probabilities: EdgeDistances
    let detours: DetourRows
    let shares: TurnShares
    private let edgeCount: Int

    public init(_ network: RoadNetwork) {
        edgeCount = network.edgeCount
        (distances, probabilities) = (EdgeDistances(network), EdgeDistances(network))
        (detours, shares) = (DetourRows(network), TurnShares(network))
    }

    /// - Returns: `memory`, or a new one where it is nil.
    /// - Precondition: it was made for a network of the same roads.
    static func of(_ memory: SearchMemory?, for network: RoadNetwork) -> SearchMemory {
        guard let memory else { return SearchMemory(network) }
        precondition(memory.edgeCount == network.edgeCount, "memory of a search belongs to the roads it was made for")
        return memory
    }
}
