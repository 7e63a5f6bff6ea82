import Fleet
import Geo
import Messages
import Store
import Testing

@Suite(.eachDatabase) struct UntakenAlertTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func ids(_ store: Store) throws -> [String] { try store.loadUntaken().map { "\($0.id) \($0.sequence)" } }

    @Test("An alert that dispatch has to take is kept until it is taken, with the last message of its own")
    func keeping() throws {
        let (a, b) = (UntakenAlert(id: "a", seconds: 2), UntakenAlert(id: "b", seconds: 1))
        _ = try store.commit(StoreBatch(time: noon, untaken: [a, b]))
        #expect(try store.loadUntaken() == [b, a])
        _ = try store.commit(StoreBatch(time: noon, untaken: [UntakenAlert(id: "b", sequence: 4, seconds: 3)]))
        #expect(try ids(store) == ["a 3", "b 4"])
        _ = try store.commit(StoreBatch(time: noon, taken: ["a", "nobody's"]))
        #expect(try ids(store) == ["b 4"])
        try store.close()
        #expect(try ids(try place.open()) == ["b 4"])
    }

    @Test("A text with a NUL, which PostgreSQL has no place for, is kept all the same")
    func withNUL() throws {
        _ = try store.commit(StoreBatch(time: noon, untaken: [UntakenAlert(id: "a", text: "a\0b")]))
        #expect(try ids(store) == ["a 3"])
    }

    @Test("One of a vehicle that is forgotten goes; one of the same batch stays")
    func forgetting() throws {
        let first = UntakenAlert(id: "a", vehicle: VehicleID("A")!)
        _ = try store.commit(StoreBatch(time: noon, untaken: [first, UntakenAlert(id: "b", vehicle: VehicleID("B")!)]))
        let later = UntakenAlert(id: "c", vehicle: VehicleID("A")!)
        _ = try store.commit(StoreBatch(time: noon, removed: [VehicleID("A")!], untaken: [later]))
        #expect(try store.loadUntaken().map(\.id).sorted() == ["b", "c"])
    }
}

extension UntakenAlert {
    init(
        id: String, sequence: Int = 3, vehicle: VehicleID = VehicleID("T42")!, text: String = "STOP.",
        seconds: Seconds = 0
    ) {
        let clearance = AlertMessage.Clearance(
            id: "osm:way:1", name: "", height: 320, posted: "3.2", source: "osm", verdict: .tooLow,
            position: Coordinate(latitude: 42.28, longitude: -83.75))
        self.init(
            AlertMessage(
                id: id, sequence: sequence, stage: .stop, attention: .alarm, probability: 1, vehicle: vehicle,
                time: noon.adding(seconds),
                expiresAt: noon, clearance: clearance, vehicleHeight: 412, margin: 0, heightSource: "driver",
                distance: 0, eta: 0, sideRoad: false, detour: nil, chain: [], urgency: .immediate,
                severity: .extreme, certainty: .observed, text: text))
    }
}
