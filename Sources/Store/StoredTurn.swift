/// How often the fleet drove from one edge onto the next; both by OSM ids.
public struct StoredTurn: Hashable, Sendable {
    public struct Edge: Hashable, Sendable {
        public var way: Int64
        public var from: Int64
        public var to: Int64

        public init(way: Int64, from: Int64, to: Int64) {
            self.way = way
            self.from = from
            self.to = to
        }
    }

    public var edge: Edge
    public var next: Edge
    /// In a batch: how often more than before.
    public var count: Int

    public init(edge: Edge, next: Edge, count: Int) {
        self.edge = edge
        self.next = next
        self.count = count
    }
}
