import Testing

@testable import Fleet

/// How much is kept of what vehicles did, and for how long.
struct HazardHistoryTests {
    private func counts(_ rows: (place: UInt64, clearance: UInt32, passes: UInt32)...) -> PassageCounts {
        rows.reduce(into: PassageCounts()) {
            $0.add(HazardHistory.Count(passes: $1.passes), at: $1.place, under: $1.clearance)
        }
    }

    private func history(rowsMax: Int = 100, _ all: PassageCounts...) -> HazardHistory {
        all.reduce(into: HazardHistory(rowsMax: rowsMax)) { $0.add($1) }
    }

    @Test("What is counted adds up, in whatever order it comes, and nothing is known of other places")
    func sum() throws {
        let (one, other) = (counts((7, 0, 3), (7, 5, 1), (9, 0, 1)), counts((8, 0, 2), (7, 0, 1), (7, 5, 1), (7, 3, 1)))
        let history = history(one, other)
        #expect(history.rows.map(\.count) == self.history(other, one).rows.map(\.count))
        let place = try #require(history.place(7))
        #expect(place.passes(under: 4).all == 4)
        #expect(place.passes(under: 5) == (4, 2))
        #expect(place.passes(under: 3) == (4, 1))
        #expect(place.passes(under: 4) == (4, 0))
        #expect(history.place(6) == nil && history.place(10) == nil)
        #expect(history.place(8)?.rows.isEmpty == true)
    }

    @Test("Who drove under what was too low for him counts there as one who came by, and nowhere else")
    func besides() throws {
        var counts = counts((7, 0, 10), (7, 5, 1))
        counts.add(HazardHistory.Count(passes: 2, besides: 2), at: 7, under: 5)
        counts.add(HazardHistory.Count(passes: 1, besides: 1), at: 9, under: 5)
        let history = history(counts)
        #expect(try #require(history.place(7)).passes(under: 5) == (12, 3))
        #expect(try #require(history.place(7)).passes(under: 6) == (10, 0))
        #expect(try #require(history.place(9)).passes(under: 5) == (1, 1))
    }

    @Test("Where a thousand have come by, what they did counts half; elsewhere nothing changes")
    func decay() throws {
        let history = history(counts((7, 0, 999), (7, 5, 101), (7, 6, 1), (8, 0, 1)), counts((7, 0, 1)))
        #expect(history.place(7)?.passes(under: 9).all == 500)
        #expect(history.place(7)?.passes(under: 5) ?? (0, 0) == (500, 50))
        #expect(history.place(7)?.rows.count == 1)
        #expect(history.place(8)?.passes(under: 9).all == 1)
    }

    @Test("There is an upper bound: beyond it the places go that nobody has come by for longest")
    func bound() {
        let before = [counts((6, 0, 1)), counts((7, 0, 5), (7, 5, 2)), counts((6, 0, 1))]
        var history = HazardHistory(rowsMax: 3)
        for counts in before + [counts((8, 0, 1), (8, 3, 1))] { history.add(counts) }
        #expect(history.size == 3)
        #expect(history.place(6) != nil && history.place(7) == nil && history.place(8) != nil)
    }

    @Test("An entry takes 64 bytes at most")
    func bytes() {
        #expect(MemoryLayout<HazardHistory.Row>.stride <= 64)
    }

    @Test("What is handed on as text is read again")
    func text() throws {
        let text = "place,clearance,passes,besides\n7,0,3,0\n7,5,2,2\nff,5,1,0\n"
        #expect(try HazardHistory(text: text).text == text)
    }

    @Test(
        "A row that is no count is refused with its line, as one of more vehicles that were too high than drove under",
        arguments: ["7,5,2,3", "7,5,2", "7,5,2,", "x,5,2,1", "7,5,-1,0", "7,5,2,1,0"])
    func badText(row: String) {
        let error = #expect(throws: HistoryTextError.self) {
            try HazardHistory(text: "place,clearance,passes,besides\n7,0,3,0\n\(row)\n")
        }
        #expect(error?.line == 3 && error?.got == row)
    }

    @Test("What is kept is read again; damaged bytes are an error")
    func stored() throws {
        var counts = counts((7, 0, 10), (7, 5, 1), (.max, 0, 1), (.max, .max, 1))
        counts.add(HazardHistory.Count(passes: 1, besides: 1), at: 7, under: 5)
        var history = HazardHistory()
        history.add(counts)
        let bytes = history.encoded()
        #expect(try HazardHistory(encoded: bytes) == history)
        for count in bytes.indices {
            #expect(throws: (any Error).self) { try HazardHistory(encoded: Array(bytes[..<count])) }
        }
    }
}
