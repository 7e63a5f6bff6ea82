/// Where a page of alerts ends: what its last one is sorted by, and its id. Alerts come and go while pages are read, so that a
/// place in the list would pass over as many as have ended before it.
struct AlertCursor: Comparable, LosslessStringConvertible {
    /// Ascending; the first counts most, and the id last.
    var ranks: [Double]
    var id: String

    init(_ ranks: [Double], id: String) {
        (self.ranks, self.id) = (ranks, id)
    }

    /// Nil where `text` is no cursor's description.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let ranks = parts.dropLast().compactMap { Double($0) }
        guard let id = parts.last, !ranks.isEmpty, ranks.count == parts.count - 1 else { return nil }
        self.init(ranks, id: String(id))
    }

    var description: String { (ranks.map { "\($0)" } + [id]).joined(separator: ",") }

    static func < (a: Self, b: Self) -> Bool {
        a.ranks == b.ranks ? a.id < b.id : a.ranks.lexicographicallyPrecedes(b.ranks)
    }
}

extension Page {
    /// A part of a list of alerts.
    ///
    /// - Parameter cursor: of each, ascending.
    init(_ alerts: [Element], by cursor: (Element) -> AlertCursor, _ listing: Listing) throws {
        var start = 0
        if let last = try listing.cursor(AlertCursor.self) {
            // What alerts are sorted by may have changed meanwhile: rather one comes again than that one is passed over.
            start = alerts.firstIndex { last < cursor($0) } ?? alerts.count
            if let index = alerts.firstIndex(where: { cursor($0).id == last.id }) { start = min(start, index + 1) }
        }
        let rest = alerts[start...]
        elements = Array(rest.prefix(listing.limit))
        next = rest.count > listing.limit ? elements.last.map { cursor($0).description } : nil
    }
}
