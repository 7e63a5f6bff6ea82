import Geo
import Messages

/// Consecutive fixes of one stay, taken together.
struct StayPart: Hashable, Sendable {
    private(set) var first: Timestamp
    private(set) var last: Timestamp
    private(set) var middle: StayCentroid

    init(_ fix: Fix) {
        first = fix.time
        last = fix.time
        middle = StayCentroid(fix)
    }

    /// - Parameter next: begins where this one ends, or later.
    mutating func append(_ next: StayPart) {
        last = next.last
        middle.merge(next.middle)
    }

    var duration: Seconds { last.since(first) }

    /// Halfway between first and last.
    var midTime: Timestamp { first.adding(duration / 2) }
}

extension Sequence<StayPart> {
    /// All of them as one; nil where there is none.
    var joined: StayPart? {
        reduce(nil) { whole, part in
            guard var whole else { return part }
            whole.append(part)
            return whole
        }
    }
}

extension StayPart: BinaryRecord {
    static var placeholder: Self { StayPart(Fix.placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&first)
        try coder.code(&last)
        try coder.code(&middle)
    }
}
