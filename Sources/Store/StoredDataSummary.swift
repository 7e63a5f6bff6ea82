package import Hashing
package import Messages

/// What a store holds about one vehicle.
package struct StoredDataSummary: Hashable, Sendable {
    /// What was known of it; nil where nothing is.
    package var state: StoredVehicle?
    /// Alerts, fence events and visits, and responses to them.
    package var history: Int
    package var positions: Int
    /// Messages that were not sent yet, by topic.
    package var unsent: [BytewiseText: Int]
    /// Messages that were not posted to webhooks yet.
    package var webhooks: Int
    /// Topics of which a retained input is kept.
    package var inputs: [String]
    /// Alerts that dispatch has to take.
    package var untaken: Int
    /// Phones that are paired with it; the first shard's part of a store has those of all vehicles.
    package var phones: Int

    package init(
        state: StoredVehicle? = nil, history: Int = 0, positions: Int = 0, unsent: [BytewiseText: Int] = [:],
        webhooks: Int = 0, inputs: [String] = [], untaken: Int = 0, phones: Int = 0
    ) {
        self.state = state
        self.history = history
        self.positions = positions
        self.unsent = unsent
        self.webhooks = webhooks
        self.inputs = inputs
        self.untaken = untaken
        self.phones = phones
    }

    /// What another shard holds of the same vehicle, mostly nothing.
    mutating func add(_ other: StoredDataSummary) {
        state = state ?? other.state
        history += other.history
        positions += other.positions
        unsent.merge(other.unsent, uniquingKeysWith: +)
        webhooks += other.webhooks
        inputs = BytewiseText.distinct(inputs + other.inputs)
        untaken += other.untaken
        phones += other.phones
    }

    package var isNothing: Bool {
        state == nil && history + positions + webhooks + untaken + phones == 0 && unsent.isEmpty && inputs.isEmpty
    }
}

extension Store {
    /// What is held about a vehicle, whatever topics it was heard on.
    ///
    /// - Parameter concerns: whether a topic that has the vehicle's id in it is one of the vehicle's.
    package func storedData(
        of vehicle: VehicleID, where concerns: (_ topic: String) -> Bool
    ) throws(StoreError) -> StoredDataSummary {
        try owned { try StoredDataQuery(vehicle: vehicle, path: path).all($0, concerns) }
    }
}

extension StoreReader {
    /// As `Store.storedData`.
    package func storedData(
        of vehicle: VehicleID, where concerns: (_ topic: String) -> Bool
    ) throws(StoreError) -> StoredDataSummary {
        var sum = StoredDataSummary()
        for part in try parts() {
            sum.add(try part.read { try StoredDataQuery(vehicle: vehicle, path: part.path).all($0, concerns) })
        }
        return sum
    }
}

private struct StoredDataQuery {
    let vehicle: VehicleID
    let path: String

    func all(_ database: SQLConnection, _ concerns: (String) -> Bool) throws -> StoredDataSummary {
        StoredDataSummary(
            state: try state(database),
            history: try ["history", "response", "blind_spots"].reduce(0) {
                try $0 + count(database, "\($1) WHERE vehicle = ?")
            },
            positions: try count(database, "position WHERE track = (SELECT number FROM track WHERE vehicle = ?)"),
            unsent: try topics(database, "outbox", concerns),
            webhooks: try count(database, "webhook WHERE vehicle = ?"),
            inputs: try topics(database, "retained", concerns).keys.sorted().map(\.wrappedValue),
            untaken: try count(database, "untaken WHERE vehicle = ?"),
            phones: try count(database, "cab_token WHERE vehicle = ?"))
    }

    private func state(_ database: SQLConnection) throws -> StoredVehicle? {
        let query = "SELECT id, levels, state, batch FROM vehicle WHERE id = ?"
        return try database.first(query, [vehicle.text]) { try StoredVehicle($0, path: path) }
    }

    private func count(_ database: SQLConnection, _ rows: String) throws -> Int {
        try database.number("SELECT count(*) FROM \(rows)", [vehicle.text])
    }

    /// The database looks for the id, by what is left without it; whether it stands in its place is for `concerns` to say.
    private func topics(
        _ database: SQLConnection, _ table: String, _ concerns: (String) -> Bool
    ) throws -> [BytewiseText: Int] {
        let query = "SELECT topic, count(*) FROM \(table) WHERE replace(topic, ?, '') <> topic GROUP BY topic"
        let counts = try database.all(query, [vehicle.text]) { ($0[0] as String, $0[1] as Int) }
            .filter { concerns($0.0) }
        return Dictionary(uniqueKeysWithValues: counts.map { (BytewiseText($0), $1) })
    }
}
