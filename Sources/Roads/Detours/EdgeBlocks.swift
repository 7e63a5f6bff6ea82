import Algorithms

/// What a part of a table says of some edges. An object, so that tables which share it can be told to.
protocol EdgeBlockPart: AnyObject, Sendable {
    /// The blocks of these edges.
    var blocks: Set<Int> { get }
}

/// Values by edge, in one array for each block of edges (see `EdgeID.block`), put together from what several parts say. Tables
/// share the blocks of which the same parts say something in both.
struct EdgeBlocks<Key: Hashable & Sendable, Part: EdgeBlockPart, Value: Sendable>: Sendable {
    let parts: [Key: Part]
    private let blocks: [[Value]]

    /// - Parameters:
    ///   - others: tables of the same roads, the likest first.
    ///   - make: puts a block together that is in none of them.
    init(
        _ parts: [Key: Part], _ network: RoadNetwork, from others: [EdgeBlocks], make: (_ block: Int) -> [Value]
    ) {
        var blocks = others.first?.blocks ?? Array(repeating: [], count: network.edgeBlockCount)
        var changed = Self.changedBlocks(parts, others.first?.parts ?? [:])
        for other in others.dropFirst() where !changed.isEmpty {
            let differing = Self.changedBlocks(parts, other.parts)
            for block in changed.subtracting(differing) { blocks[block] = other.blocks[block] }
            changed.formIntersection(differing)
        }
        for block in changed { blocks[block] = make(block) }
        (self.parts, self.blocks) = (parts, blocks)
    }

    subscript(block: Int) -> [Value] { blocks[block] }

    private static func changedBlocks(_ parts: [Key: Part], _ others: [Key: Part]) -> Set<Int> {
        changed(parts, others).reduce(into: []) { $0.formUnion($1.blocks) }
    }

    /// Parts of either table that are not in the other.
    func parts(differingFrom other: EdgeBlocks) -> [Part] { Self.changed(parts, other.parts) }

    private static func changed(_ parts: [Key: Part], _ others: [Key: Part]) -> [Part] {
        let new = parts.lazy.filter { others[$0.key] !== $0.value }
        let gone = others.lazy.filter { parts[$0.key] !== $0.value }
        return chain(new, gone).map(\.value)
    }
}
