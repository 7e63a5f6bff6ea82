import NIOPosix
import Synchronization

/// Tiles that are drawn when they are first asked for, and kept as long as what they show is the same.
final class DrawnTiles<Revision: Equatable & Sendable>: Sendable {
    private let drawn = Mutex<(revision: Revision?, cache: TileCache)>((nil, TileCache(bytesMax: 64 << 20)))

    func tile(
        _ address: TileAddress, revision: Revision, draw: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> TileCache.Tile {
        let known = drawn.withLock { drawn in
            if drawn.revision != revision { drawn = (revision, TileCache(bytesMax: 64 << 20)) }
            return drawn.cache.tile(address)
        }
        if let known { return known }
        // Some tens of milliseconds for a tile of a city, on threads that nothing else waits for.
        let tile = try await NIOThreadPool.singleton.runIfActive {
            let bytes = try draw()
            return TileCache.Tile(bytes: bytes, tag: EntityTag(of: bytes))
        }
        drawn.withLock { drawn in
            if drawn.revision == revision { drawn.cache.put(tile, at: address) }
        }
        return tile
    }
}
