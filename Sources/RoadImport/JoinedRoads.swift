internal import Foundation
import Hashing
package import Roads

/// One network out of the road files that a configuration or a command names.
///
/// One file is mapped as it is. Several are joined: built anew from the map objects that they keep, so that the result is,
/// byte for byte, what `roads build` makes of all their OSM files. That takes about as long as building them did, and memory
/// for all of them at once; where the result may be kept, later starts map it.
package enum JoinedRoads {
    /// Where a joined file is kept.
    package struct Cache: Sendable {
        /// What it lies beside: the joined file of `headroom.sqlite` is `headroom.sqlite-0123456789abcdef.roads`.
        var path: String
        /// Otherwise one that is there is used, and none is made.
        var mayWrite: Bool

        package init(beside path: String, mayWrite: Bool) { (self.path, self.mayWrite) = (path, mayWrite) }
    }

    /// - Parameters:
    ///   - paths: of road files; at least one.
    ///   - cache: nil: the result is kept in memory alone, as it is where the cache cannot be written.
    ///   - warn: told why it cannot be.
    /// - Throws: `FileError` with the file that cannot be used, and why.
    package static func open(
        _ paths: [String], cache: Cache? = nil, warn: (String) -> Void = { _ in }
    ) throws -> RoadNetwork {
        precondition(!paths.isEmpty, "there is a road file to open")
        let networks = try paths.map(RoadNetwork.open)
        guard networks.count > 1 else { return networks[0] }
        try checkDifferent(zip(paths, networks))
        guard let cache else { return try RoadNetwork(RoadFileBuffer(join(paths, networks))) }
        let path = "\(cache.path)-\(key(of: networks).hexadecimal).roads"
        if let kept = try? RoadNetwork.open(path), (try? kept.verify()) != nil { return kept }
        let file = try join(paths, networks)
        guard cache.mayWrite else { return try RoadNetwork(RoadFileBuffer(file)) }
        do {
            try writeAtomically(file, to: path)
        } catch {
            warn("joined in memory, and again at the next start: \(error)")
            return try RoadNetwork(RoadFileBuffer(file))
        }
        removeOthers(than: path, beside: cache.path)
        return try RoadNetwork.open(path)
    }

    /// - Returns: the bytes of a road file.
    private static func join(_ paths: [String], _ networks: [RoadNetwork]) throws -> [UInt8] {
        var distance: Double?
        for (path, network) in zip(paths, networks) {
            let own = try snapDistance(of: network, path)
            if let distance, own != distance {
                throw FileError(
                    path: path,
                    reason:
                        "was built with --snap-distance \(own) m and \(paths[0]) with \(distance) m; build them with the same"
                )
            }
            distance = own
        }
        return try RoadBuild.build(paths, snapDistance: distance ?? 40) { _ in }.file
    }

    private static func snapDistance(of network: RoadNetwork, _ path: String) throws(FileError) -> Double {
        do throws(RoadFileError) {
            return try network.snapDistance
        } catch {
            throw FileError(path: path, reason: "\(error)")
        }
    }

    private static func checkDifferent(_ files: some Sequence<(String, RoadNetwork)>) throws {
        var known: [UInt64: String] = [:]
        for (path, network) in files {
            if let other = known.updateValue(path, forKey: network.fingerprint) {
                throw FileError(path: path, reason: "is the same road file as \(other); name it once")
            }
        }
    }

    /// Raised when networks are built otherwise of the same map objects, as where tags are read otherwise: a file that an
    /// earlier program joined is then made anew.
    private static let rules: UInt64 = 2

    /// Another for other files, for another order, and for other rules.
    private static func key(of networks: [RoadNetwork]) -> UInt64 {
        networks.reduce(0xCBF2_9CE4_8422_2325 ^ rules) { ($0 ^ $1.fingerprint) &* 0x100_0000_01B3 }
    }

    /// Those that were joined of files that were replaced since. Who has one mapped keeps it.
    private static func removeOthers(than path: String, beside store: String) {
        let (kept, prefix) = (URL(filePath: path), URL(filePath: store).lastPathComponent + "-")
        let folder = kept.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) && name.hasSuffix(".roads") && name != kept.lastPathComponent {
            let key = name.dropFirst(prefix.count).dropLast(".roads".count)
            guard key.count == 16, key.allSatisfy(\.isHexDigit) else { continue }
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
