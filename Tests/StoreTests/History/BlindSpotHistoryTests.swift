import Fleet
import Foundation
import Messages
import Store
import Testing

@Suite("Changes of blind spots", .eachDatabase) struct BlindSpotHistoryTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func change(
        _ vehicle: String, _ minute: Double, _ before: [StateMessage.BlindSpot], _ after: [StateMessage.BlindSpot]
    ) -> BlindSpotChange {
        BlindSpotChange(
            vehicle: VehicleID(vehicle)!, time: noon.adding(60 * minute), before: before, after: after)
    }

    private func keep(
        _ changes: BlindSpotChange..., removing removed: [String] = [], before minute: Double? = nil
    ) throws {
        _ = try store.commit(
            StoreBatch(
                time: noon, removed: removed.compactMap { VehicleID($0) }, blindSpots: changes,
                historyBefore: minute.map { noon.adding(60 * $0) }))
    }

    private func found(from: Double, to: Double, limit: Int = 100) throws -> [BlindSpotChange]? {
        let span = noon.adding(60 * from)..<noon.adding(60 * to)
        return try StoreReader(place.location).blindSpotChanges(in: span, limit: limit)
    }

    @Test("Those of the span come by time, after the last one before it of a vehicle that was blind then")
    func span() throws {
        let stale = change("A", 1, [], [.stalePosition])
        let both = change("A", 2, [.stalePosition], [.offNetwork, .stalePosition])
        let (seen, gone) = (change("B", 1, [], [.offNetwork]), change("B", 3, [.offNetwork], []))
        let later = change("B", 12, [], [.clockSkew])
        try keep(later, gone, stale, seen, both)
        #expect(try found(from: 10, to: 20) == [both, later])
        #expect(try found(from: 0, to: 3) == [stale, seen, both])
        #expect(try found(from: 0, to: 3, limit: 2) == nil)
    }

    @Test("What is done again is there once, and what it has come to counts")
    func repeated() throws {
        for _ in 0..<2 {
            try keep(change("A", 1, [], [.stalePosition]), change("A", 1, [.stalePosition], [.offNetwork]))
        }
        #expect(try found(from: 0, to: 5) == [change("A", 1, [], [.offNetwork])])
    }

    @Test("They go with their vehicle, and with their age")
    func removal() throws {
        let (old, young) = (change("A", 1, [], [.stalePosition]), change("A", 5, [.stalePosition], []))
        try keep(old, young, change("B", 5, [], [.offNetwork]))
        try keep(removing: ["B"], before: 4)
        #expect(try found(from: 0, to: 10) == [young])
    }
}
