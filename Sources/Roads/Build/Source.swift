public import Geo

// What the builder is fed: map objects as their source has them, tags unread.

public struct SourceNode: Sendable {
    public var id: Int64
    public var position: Coordinate
    public var tags: [String: String]

    public init(id: Int64, position: Coordinate, tags: [String: String] = [:]) {
        self.id = id
        self.position = position
        self.tags = tags
    }
}

public struct SourceWay: Sendable {
    public var id: Int64
    public var nodes: [Int64]
    public var tags: [String: String]

    public init(id: Int64, nodes: [Int64], tags: [String: String]) {
        self.id = id
        self.nodes = nodes
        self.tags = tags
    }
}

public struct SourceRelation: Sendable {
    public struct Member: Sendable {
        public enum Kind: Sendable { case node, way, relation }

        public var kind: Kind
        public var id: Int64
        public var role: String

        public init(kind: Kind, id: Int64, role: String) {
            self.kind = kind
            self.id = id
            self.role = role
        }
    }

    public var id: Int64
    public var members: [Member]
    public var tags: [String: String]

    public init(id: Int64, members: [Member], tags: [String: String]) {
        self.id = id
        self.members = members
        self.tags = tags
    }
}
