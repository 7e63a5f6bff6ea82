import Messages

/// When fences come into force and go out of it: by validity and weekly hours. Most share a few timetables.
struct FenceTimetable {
    fileprivate struct Times: Hashable {
        var hours: WeeklyHours?
        var validFrom: Timestamp?
        var validUntil: Timestamp?
    }

    /// By serial.
    private var fences: [Times: [Int: KnownFence]] = [:]
    /// Between these moments, the second not included, nothing changes.
    private var quiet: (from: Timestamp, until: Timestamp?)?

    var isEmpty: Bool { fences.isEmpty }

    mutating func add(_ fence: KnownFence) {
        guard fence.fence.isTimed else { return }
        fences[Times(fence.fence), default: [:]][fence.serial] = fence
        quiet = nil
    }

    mutating func remove(_ fence: KnownFence) {
        guard fence.fence.isTimed else { return }
        let times = Times(fence.fence)
        fences[times]?[fence.serial] = nil
        if fences[times]?.isEmpty == true { fences[times] = nil }
        quiet = nil
    }

    /// The next moment after `time` at which a fence may come into force or go out of it; nil: none does.
    mutating func nextChange(after time: Timestamp) -> Timestamp? {
        if let quiet, quiet.from <= time, quiet.until.map({ time < $0 }) ?? true { return quiet.until }
        let next = fences.values.compactMap { $0.first?.value.fence.nextChange(after: time) }.min()
        quiet = (time, next)
        return next
    }

    /// Those that came into force after `start` and still are at `end`, in any order.
    func opening(after start: Timestamp, by end: Timestamp) -> [KnownFence] {
        fences.values.filter { $0.first?.value.fence.opening(after: start, by: end) != nil }.flatMap(\.values)
    }
}

extension FenceTimetable.Times {
    fileprivate init(_ fence: Fence) {
        self.init(hours: fence.hours, validFrom: fence.validFrom, validUntil: fence.validUntil)
    }
}
