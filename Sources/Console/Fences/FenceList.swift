import Fleet
import Geo
import Hashing
import Messages

/// The fences in force, by id, with what each lies in.
struct FenceList: Sendable {
    struct Item: Sendable {
        var snapshot: FenceSnapshot
        /// Nil where nothing is inside.
        var bounds: Bounds?

        var fence: Fence { snapshot.fence }

        init(_ snapshot: FenceSnapshot) {
            self.snapshot = snapshot
            bounds = snapshot.fence.shape.bounds
        }
    }

    let items: [Item]
    /// What all of them lie in; nil where there is none.
    let bounds: Bounds?

    init(_ fences: [BytewiseText: FenceSnapshot]) {
        items = fences.values.map { ($0, NaturalKey($0.fence.id)) }.sorted { $0.1 < $1.1 }.map { Item($0.0) }
        bounds = Bounds(enclosing: items.compactMap(\.bounds))
    }
}
