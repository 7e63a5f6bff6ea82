/// A directed edge of one road file. Positions in a file are not kept anywhere: see `EdgeKey`.
public struct EdgeID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public let index: UInt32

    @inlinable public init(_ index: UInt32) { self.index = index }
    @inlinable public init(_ index: Int) { self.index = UInt32(index) }
    @inlinable public static func < (a: EdgeID, b: EdgeID) -> Bool { a.index < b.index }

    /// Some hundred ways, which lie near each other: a changed clearance concerns a few blocks.
    static let blockSize = 1_024
    /// Tables of values by edge keep one array for each block of edges, so that two tables share those that are the same in both.
    var block: Int { Int(index) / Self.blockSize }
}

/// A junction, a way's end, a barrier, or a node that carries a clearance.
public struct NodeID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public let index: UInt32

    @inlinable public init(_ index: UInt32) { self.index = index }
    @inlinable public init(_ index: Int) { self.index = UInt32(index) }
    @inlinable public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

/// A clearance of one road file.
public struct ClearanceID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public let index: UInt32

    @inlinable public init(_ index: UInt32) { self.index = index }
    @inlinable public init(_ index: Int) { self.index = UInt32(index) }
    @inlinable public static func < (a: ClearanceID, b: ClearanceID) -> Bool { a.index < b.index }
}

/// An edge by OSM ids: what state refers to, so that it outlives a road file.
public struct EdgeKey: Hashable, Sendable, Codable {
    public var way: Int64
    public var from: Int64
    public var to: Int64

    public init(way: Int64, from: Int64, to: Int64) {
        self.way = way
        self.from = from
        self.to = to
    }
}
