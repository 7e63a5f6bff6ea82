import Fleet
import Geo
import Messages

/// The fences in force, by id, with what each lies in.
struct FenceList: Sendable {
    struct Item: Sendable {
        var snapshot: FenceSnapshot
        /// Nil where nothing is inside.
        var bounds: Bounds?

        var fence: Fence { snapshot.fence }
    }

    let items: [Item]
    /// What all of them lie in; nil where there is none.
    let bounds: Bounds?

    init(_ fences: [String: FenceSnapshot]) {
        items = fences.values.sorted { $0.fence.id < $1.fence.id }.map {
            Item(snapshot: $0, bounds: $0.fence.shape.bounds)
        }
        bounds = Bounds(enclosing: items.compactMap(\.bounds))
    }
}
