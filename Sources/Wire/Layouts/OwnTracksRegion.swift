import Hashing

/// A region as the OwnTracks apps know it.
///
/// iOS tells regions apart by `rid`, Android by `tst`, and both give the name back when the device crosses the border. In a
/// name iOS takes what follows a colon for a beacon and what follows a bar for modes, so those two are written as
/// characters that no id may hold.
struct OwnTracksRegion: Hashable {
    let id: String

    init(id: String) { self.id = id }

    /// - Parameter name: as the device sends it back.
    init(name: String) {
        id = String(name.map { $0 == "/" ? ":" : $0 == "#" ? "|" : $0 })
    }

    var name: String { String(id.map { $0 == ":" ? "/" : $0 == "|" ? "#" : $0 }) }

    /// What stands for the time of its making: always the same for one id, so that a region can be replaced and removed.
    /// FNV-1a, brought below 2³¹.
    var timestamp: Int {
        let hash = FNV1a(id.utf8).value
        return Int((hash ^ hash >> 32) & 0x7fff_ffff)
    }
}
