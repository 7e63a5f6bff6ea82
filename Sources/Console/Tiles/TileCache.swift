/// The tiles that were asked for last, as far as they go into a number of bytes.
struct TileCache {
    struct Tile {
        let bytes: [UInt8]
        let tag: EntityTag
    }

    private struct Entry {
        var tile: Tile
        var usedAt: UInt64
    }

    private let bytesMax: Int
    private var entries: [TileAddress: Entry] = [:]
    private(set) var bytes = 0
    private var uses: UInt64 = 0

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    mutating func tile(_ address: TileAddress) -> Tile? {
        uses += 1
        entries[address]?.usedAt = uses
        return entries[address]?.tile
    }

    mutating func put(_ tile: Tile, at address: TileAddress) {
        uses += 1
        remove(address)
        entries[address] = Entry(tile: tile, usedAt: uses)
        bytes += Self.cost(tile)
        // One tile comes at a time and is no larger than many: the search is short, and rare.
        while bytes > bytesMax, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            remove(oldest.key)
        }
    }

    private mutating func remove(_ address: TileAddress) {
        if let entry = entries.removeValue(forKey: address) { bytes -= Self.cost(entry.tile) }
    }

    /// An empty tile takes a place, too.
    private static func cost(_ tile: Tile) -> Int { tile.bytes.count + 200 }
}
