import Fleet
import Messages
import Store

/// Shows other threads what turns have changed, once they are committed.
struct LiveUpdates {
    private let view: LiveView
    private let messages: LiveMessages
    private var builder = SnapshotBuilder()

    init(_ shared: SharedState) { (view, messages) = (shared.view, shared.messages) }

    /// The turn is committed.
    mutating func note(_ turn: Turn) {
        builder.note(turn.effects)
        for address in turn.effects.forgotten { messages.forget(address.vehicle) }
        messages.add(turn.news)
    }

    /// A shard with these vehicles has come or gone.
    mutating func shardsChanged(_ vehicles: some Sequence<VehicleID>) { builder.shardsChanged(vehicles) }

    /// Who asks from now on is shown what holds from now on.
    func expire() { view.expire() }

    /// Shows what holds now to those who have asked; costs nothing where nobody has.
    ///
    /// - Parameter others: what other gateways have told; nil: there are none.
    mutating func show(_ shards: [Shard], _ others: GatewayExchange? = nil, isConnected: Bool, at now: Timestamp) {
        guard view.isAwaited else { return }
        if let others, !others.isShowable(besides: Set(shards.map(\.place.index))) { return }
        show(
            shards.map(\.engine), untaken: shards.map(\.untaken), handlings: shards.map(\.handlings), others,
            isConnected: isConnected, at: now)
    }

    /// - Parameters:
    ///   - engines: of all shards, in their order.
    ///   - untaken: of each shard.
    ///   - handlings: of each shard.
    mutating func show(
        _ engines: [Engine], untaken: [[UntakenAlert]], handlings: [Handlings], _ others: GatewayExchange? = nil,
        isConnected: Bool, at now: Timestamp
    ) {
        guard view.isAwaited else { return }
        var snapshot = builder.build(engines, others, isConnected: isConnected, at: now)
        let untaken = untaken + (others?.untaken ?? [])
        snapshot.untaken =
            untaken.count == 1 ? untaken[0] : untaken.joined().sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        // An alert has one vehicle, and so one shard.
        for handling in handlings { snapshot.handlings.merge(handling.all) { first, _ in first } }
        for handling in others?.handlings ?? [] { snapshot.handlings[handling.alert] = handling }
        view.show(snapshot)
    }
}
