import Messages
import Store
import Testing

/// Which phones may speak for which vehicle.
@Suite(.eachDatabase) struct CabTokenTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func add(_ vehicle: String, code: UInt8, at time: Timestamp, until end: Timestamp) throws -> CabToken? {
        let token = CabToken(
            id: 0, vehicle: try #require(VehicleID(vehicle)), digest: [code, 1], createdAt: time, expiresAt: end)
        return try store.add(token, for: SpentCabCode(nonce: [code], expiresAt: time.adding(600)))
    }

    private func kept(at time: Timestamp) throws -> [String] {
        try store.loadCabTokens(at: time).map { "\($0.vehicle) \($0.digest)" }
    }

    @Test("A token is kept until it expires, and a code gives one token, also where that is revoked")
    func life() throws {
        let first = try #require(try add("A", code: 1, at: noon, until: minute(60)))
        #expect(try add("A", code: 2, at: minute(1), until: minute(61)) != nil)
        #expect(try add("B", code: 1, at: minute(2), until: minute(62)) == nil)
        #expect(try kept(at: minute(3)) == ["A [1, 1]", "A [2, 1]"])
        #expect(try kept(at: minute(60)) == ["A [2, 1]"])
        #expect(try store.removeCabToken(first.id, at: minute(4)))
        #expect(try !store.removeCabToken(first.id, at: minute(4)))
        #expect(try add("A", code: 1, at: minute(5), until: minute(65)) == nil)
        #expect(try kept(at: minute(5)) == ["A [2, 1]"])
    }

    @Test("Tokens go with a vehicle that is forgotten, and stay where nothing else is kept of it, as without consent")
    func removal() throws {
        for (vehicle, code) in [("A", 1), ("B", 2)] as [(String, UInt8)] {
            _ = try add(vehicle, code: code, at: noon, until: minute(60))
        }
        let vehicle = try #require(VehicleID("A"))
        _ = try store.commit(StoreBatch(time: noon, removed: [vehicle]))
        #expect(try kept(at: noon) == ["A [1, 1]", "B [2, 1]"])
        try store.removeCabTokens(of: [vehicle], codesUntil: minute(10), at: noon)
        #expect(try kept(at: noon) == ["B [2, 1]"])
    }

    @Test("Codes from before their vehicle was forgotten give no token, those of later and of others do")
    func codesOfForgotten() throws {
        for time in [noon, minute(1)] {
            try store.removeCabTokens(of: [try #require(VehicleID("A"))], codesUntil: time.adding(600), at: time)
        }
        #expect(try add("A", code: 1, at: noon, until: minute(60)) == nil)
        #expect(try add("A", code: 2, at: minute(1), until: minute(60)) == nil)
        #expect(try add("B", code: 3, at: noon, until: minute(60)) != nil)
        #expect(try add("A", code: 4, at: minute(2), until: minute(60)) != nil)
    }
}
