import BinaryCoding
import Geo

/// How far apart a vehicle's fixes were of late, and the uploads that brought them: a device may take a fix every ten seconds,
/// and send six of them once a minute. By the times of the fixes alone, so that it makes no difference how long they took
/// to come.
struct ReportGaps: Hashable, Sendable {
    /// Between fixes, the newest first; at most `RuleTime.gapsKept`.
    private(set) var fixes: [Seconds] = []
    /// Between the newest fixes of two uploads, likewise; nil: the same, as each has brought one.
    private(set) var uploads: [Seconds]?

    /// How often the vehicle is heard of, as far as gaps tell; nil where there is none.
    @inline(__always)
    var interval: Seconds? {
        guard let uploads else { return Self.interval(fixes) }
        return [Self.interval(fixes), Self.interval(uploads)].compactMap(\.self).max()
    }

    /// The second largest of the last four. One long gap, as in a tunnel, is no interval, and two make one, so that a device that
    /// does report rarely is counted with at its second gap; short gaps shorten nothing before there are three. Of one or two
    /// gaps the larger counts.
    @inline(__always)
    static func interval(_ gaps: some Sequence<Seconds>) -> Seconds? {
        var (largest, second) = (-Seconds.infinity, -Seconds.infinity)
        var count = 0
        for gap in gaps {
            count += 1
            if gap > largest {
                (largest, second) = (gap, largest)
            } else if gap > second {
                second = gap
            }
        }
        return count == 0 ? nil : count <= 2 ? largest : second
    }

    /// Takes up the gap before the newest fix.
    mutating func note(fix gap: Seconds) {
        Self.add(gap, to: &fixes)
        if uploads == fixes { uploads = nil }
    }

    /// Takes up the gap before an upload, ahead of its fixes. While each upload brings one fix this need not be called.
    ///
    /// - Parameter gap: nil: none that tells anything, as before the first.
    mutating func note(upload gap: Seconds?) {
        var gaps = uploads ?? fixes
        if let gap { Self.add(gap, to: &gaps) }
        uploads = gaps
    }

    private static func add(_ gap: Seconds, to gaps: inout [Seconds]) {
        if gaps.count == RuleTime.gapsKept { gaps.removeLast() }
        gaps.insert(gap, at: 0)
    }
}

extension ReportGaps: BinaryCodable {
    /// The first number holds in so many bits how many gaps between fixes follow, and above them one more than how many between
    /// uploads, or 0 where these are the same: then the bytes are those of a list, as stores have had it before.
    private static let countBits = 3

    func encode(to encoder: inout BinaryEncoder) {
        let uploadCount = uploads.map { $0.count + 1 } ?? 0
        encoder.append(number: UInt64(fixes.count | uploadCount << Self.countBits))
        for gap in fixes { encoder.append(gap) }
        for gap in uploads ?? [] { encoder.append(gap) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let number = try decoder.number()
        let (uploadCount, fixCount) = number.quotientAndRemainder(dividingBy: 1 << Self.countBits)
        guard fixCount <= RuleTime.gapsKept, uploadCount <= RuleTime.gapsKept + 1 else {
            throw decoder.unreadable("the numbers of gaps, at most \(RuleTime.gapsKept) of each kind")
        }
        for _ in 0..<fixCount { fixes.append(try decoder.double()) }
        guard uploadCount > 0 else { return }
        var gaps: [Seconds] = []
        for _ in 1..<uploadCount { gaps.append(try decoder.double()) }
        uploads = gaps
    }
}
