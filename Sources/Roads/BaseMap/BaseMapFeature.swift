public import Geo

/// Something that the base map shows.
public struct BaseMapFeature: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        case node(Int64)
        case way(Int64)
        case relation(Int64)
    }

    public struct Part: Hashable, Sendable {
        /// A hole in the part before that is none.
        public var isHole: Bool
        /// Of an area a ring, whose last place is its first; of a place one point.
        public var line: [Coordinate]

        public init(isHole: Bool = false, line: [Coordinate]) { (self.isHole, self.line) = (isHole, line) }
    }

    public var source: Source
    public var kind: BaseMapKind
    /// Empty where it has none.
    public var name: String
    public var parts: [Part]

    public init(source: Source, kind: BaseMapKind, name: String = "", parts: [Part]) {
        self.source = source
        self.kind = kind
        self.name = name
        self.parts = parts
    }

    var pointCount: Int { parts.reduce(0) { $0 + $1.line.count } }
}

extension BaseMapFeature.Source {
    /// Another number for each; a way may be a line and an area.
    func key(_ shape: BaseMapKind.Shape) -> Int64 {
        switch self {
        case .node(let id): id &* 4
        case .way(let id): id &* 4 &+ (shape == .area ? 2 : 1)
        case .relation(let id): id &* 4 &+ 3
        }
    }

    init(key: Int64) {
        switch key & 3 {
        case 0: self = .node(key >> 2)
        case 3: self = .relation(key >> 2)
        default: self = .way(key >> 2)
        }
    }
}
