public import Geo

/// What a line stands for on the road.
public struct MatchedLine: Hashable, Sendable {
    /// Edges driven without a gap.
    public struct Piece: Hashable, Sendable {
        public var way: PlannedWay
        /// What of the line it stands for, in metres from the line's start.
        public var range: ClosedRange<Metres>

        public init(way: PlannedWay, range: ClosedRange<Metres>) {
            self.way = way
            self.range = range
        }
    }

    /// Why a part of the line has no edges.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// No road lies near: a yard, a ferry, another map.
        case offNetwork = "off-network"
        /// Roads do, but none that may be driven like this.
        case noWay = "no-way"
        /// The whole line is longer than any trip.
        case tooLong = "too-long"
    }

    public struct Gap: Hashable, Sendable {
        public var range: ClosedRange<Metres>
        public var reason: Reason

        public init(range: ClosedRange<Metres>, reason: Reason) {
            self.range = range
            self.reason = reason
        }
    }

    /// In the order of the line.
    public var pieces: [Piece]
    /// In the order of the line; yards at its ends are among them.
    public var gaps: [Gap]
    /// The length of the line.
    public var length: Metres

    /// What of the line has no edges.
    public var gapLength: Metres { gaps.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound } }

    /// The way, where the line is one from beginning to end but for what is off the network there.
    public var way: PlannedWay? { pieces.count == 1 ? pieces[0].way : nil }
}
