/// Rows of one kind in mapped memory. Every access is checked: a position read from a damaged file ends the program with
/// a sentence instead of reading elsewhere.
struct Table<Row: BitwiseCopyable>: @unchecked Sendable {
    // Sendable: the memory is read-only and its owner (`RoadNetwork.storage`) outlives every table.
    private let base: UnsafePointer<Row>
    let count: Int

    /// - Parameter bytes: aligned to 8; a length that is no multiple of the row's is damage.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let stride = MemoryLayout<Row>.stride
        guard bytes.count % stride == 0 else { return nil }
        count = bytes.count / stride
        let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!
        guard UInt(bitPattern: start) % UInt(MemoryLayout<Row>.alignment) == 0 else { return nil }
        base = start.assumingMemoryBound(to: Row.self)
    }

    static var empty: Table { Table(UnsafeRawBufferPointer(start: nil, count: 0))! }

    @inline(__always)
    subscript(_ index: Int) -> Row {
        if UInt(bitPattern: index) >= UInt(bitPattern: count) { tableDamaged(index, count) }
        return base[index]
    }

    @inline(__always)
    subscript(_ index: UInt32) -> Row { self[Int(index)] }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(UnsafeBufferPointer(start: base, count: count)) }
}

extension Table: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }
}

@inline(never)
private func tableDamaged(_ index: Int, _ count: Int) -> Never {
    fatalError("the road file is damaged: row \(index) of \(count) is wanted; `headroom roads check` tells more")
}
