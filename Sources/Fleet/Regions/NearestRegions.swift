import Geo
import Messages

/// The nearest few of the regions that are offered.
struct NearestRegions {
    private struct Entry {
        var distance: Metres
        var region: Region

        static func < (a: Entry, b: Entry) -> Bool {
            guard a.distance == b.distance else { return a.distance < b.distance }
            return (a.region.id, a.region.kind.rawValue) < (b.region.id, b.region.kind.rawValue)
        }
    }

    let limit: Int
    /// What is farther is not looked for.
    private let within: Metres
    /// In order.
    private var entries: [Entry] = []

    init(limit: Int, within: Metres) {
        self.limit = limit
        self.within = within
    }

    /// The nearest first; of equally near ones the lower id.
    var regions: [Region] { entries.map(\.region) }

    /// What is farther need not be offered.
    var reach: Metres { isFull ? entries.last?.distance ?? -.infinity : within }

    /// Whether there was room for no more.
    var isFull: Bool { entries.count >= limit }

    /// Keeps a region while it is one of the nearest. One that is offered twice counts once.
    mutating func offer(_ region: Region, _ distance: Metres) {
        let entry = Entry(distance: distance, region: region)
        var (place, end) = (0, entries.count)
        while place < end {
            let middle = (place + end) / 2
            if entries[middle] < entry { place = middle + 1 } else { end = middle }
        }
        // Neither is before the other: it is the same.
        if place < entries.count, !(entry < entries[place]) { return }
        guard place < limit else { return }
        entries.insert(entry, at: place)
        if entries.count > limit { entries.removeLast() }
    }
}
