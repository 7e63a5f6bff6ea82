import Hashing
import Messages

/// Numbers fences in the order in which they become known.
struct FenceSerials {
    private var given: [BytewiseText: KeptFence] = [:]
    /// As they were before the start. A file's fence is taken up before the topic's that goes before it, and must not make
    /// that one look new.
    private var restored: [BytewiseText: KeptFence]
    private(set) var newest = 0
    private var unsaved: [BytewiseText: KeptFence] = [:]
    /// Under this id the highest serial of a fence that is gone is kept, where no other has one as high: were it given again,
    /// vehicles would seem to know a fence that is new.
    private static let gone: BytewiseText = ""

    init(_ kept: [KeptFence]) {
        restored = Dictionary(
            kept.filter { $0.$id != Self.gone }.map { ($0.$id, $0) }, uniquingKeysWith: { _, last in last })
        given = restored
        newest = kept.compactMap(\.serial).max() ?? 0
    }

    /// The serial that a fence had already where it says what it said, else the next.
    mutating func serial(of fence: Fence) -> Int {
        let digest = fence.digest
        if let kept = given[fence.$id], kept.digest == digest, let serial = kept.serial { return serial }
        if let kept = restored[fence.$id], kept.digest == digest, let serial = kept.serial {
            keep(kept)
            return serial
        }
        newest += 1
        keep(KeptFence(id: fence.id, digest: digest, serial: newest))
        return newest
    }

    private mutating func keep(_ fence: KeptFence) {
        given[fence.$id] = fence
        unsaved[fence.$id] = fence
    }

    mutating func remove(_ id: BytewiseText) {
        guard let kept = given.removeValue(forKey: id) else { return }
        unsaved[id] = KeptFence(id: id.wrappedValue, digest: kept.digest, serial: nil)
    }

    mutating func keepOnly(_ known: [BytewiseText: KnownFence]) {
        for id in given.keys.sorted() where known[id] == nil { remove(id) }
        restored = [:]
    }

    mutating func takeUnsaved() -> [KeptFence] {
        guard !unsaved.isEmpty else { return [] }
        defer { unsaved = [:] }
        if !given.values.contains(where: { $0.serial == newest }) {
            unsaved[Self.gone] = KeptFence(id: Self.gone.wrappedValue, digest: 0, serial: newest)
        }
        return unsaved.values.sorted { $0.$id < $1.$id }
    }
}
