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

    /// Who asks from now on is shown what holds from now on.
    func expire() { view.expire() }

    /// Shows what holds now to those who have asked; costs nothing where nobody has.
    mutating func show(
        _ engine: Engine, untaken: [UntakenAlert], handlings: Handlings, isConnected: Bool, at now: Timestamp
    ) {
        guard view.isAwaited else { return }
        var snapshot = builder.build(engine, isConnected: isConnected, at: now)
        snapshot.untaken = untaken
        snapshot.handlings = handlings.all
        view.show(snapshot)
    }
}
