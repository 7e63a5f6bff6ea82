/// An optional member that most vehicles lack: it takes one word where there is no value, and memory of its own where there
/// is one.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    /// Whether there is no value; unlike a comparison with nil it copies none.
    var isEmpty: Bool { box == nil }

    init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }
}

extension Rare: Equatable where Value: Equatable {
    static func == (a: Rare, b: Rare) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Rare: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
