/// Values by edge, for searches that ask at every step: a hash table with linear probing (Knuth, The Art of Computer
/// Programming 3, §6.4).
///
/// A dictionary withstands keys that somebody has chosen so that they collide, and takes several times as long for it; edges
/// come from a road file.
public struct EdgeMap<Value> {
    /// In the order in which they were first set.
    public internal(set) var keys: [EdgeID] = []
    @usableFromInline var values: [Value] = []
    /// Positions in `keys`, from 1; 0 is free. At least half are; empty while there are few keys.
    @usableFromInline var slots: [UInt32] = []

    /// So many keys are looked through one by one.
    private static var unhashedMax: Int { 8 }

    public init() {}

    /// - Parameter capacity: so many keys take no further memory.
    mutating func reserveCapacity(_ capacity: Int) {
        keys.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }

    public init(_ dictionary: [EdgeID: Value]) {
        for (edge, value) in dictionary.sorted(by: { $0.key < $1.key }) { set(edge, value) }
    }

    // Inlinable, as other modules would else ask by what the type is at run time.
    @inlinable public subscript(_ edge: EdgeID) -> Value? { position(of: edge).map { values[$0] } }

    @inlinable public subscript(_ edge: EdgeID, default value: @autoclosure () -> Value) -> Value {
        position(of: edge).map { values[$0] } ?? value()
    }

    /// - Returns: whether the edge was not there yet.
    @discardableResult
    public mutating func set(_ edge: EdgeID, _ value: Value) -> Bool {
        if let position = position(of: edge) {
            values[position] = value
            return false
        }
        keys.append(edge)
        values.append(value)
        if keys.count * 2 > slots.count { rehash() } else { insert(keys.count - 1) }
        return true
    }

    /// Leaves nothing, and keeps the memory for what comes next.
    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
    }

    @inlinable func position(of edge: EdgeID) -> Int? {
        guard !slots.isEmpty else { return keys.firstIndex(of: edge) }
        var slot = firstSlot(for: edge)
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if keys[position] == edge { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func insert(_ position: Int) {
        var slot = firstSlot(for: keys[position])
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(position + 1)
    }

    /// Makes room for twice as many keys.
    private mutating func rehash() {
        guard keys.count > Self.unhashedMax else { return }
        slots = Array(repeating: 0, count: Swift.max(4 * Self.unhashedMax, 2 * slots.count))
        for position in keys.indices { insert(position) }
    }

    /// The upper bits of a multiple: neighbouring edges, which searches find together, lie apart (Fibonacci hashing).
    @inlinable func firstSlot(for edge: EdgeID) -> Int {
        Int((edge.index &* 2_654_435_769) &>> UInt32(32 - slots.count.trailingZeroBitCount))
    }
}

extension EdgeMap: Sendable where Value: Sendable {}

extension EdgeMap: Equatable where Value: Equatable {}

extension EdgeMap: Sequence {
    public func makeIterator() -> Zip2Sequence<[EdgeID], [Value]>.Iterator { zip(keys, values).makeIterator() }
}
