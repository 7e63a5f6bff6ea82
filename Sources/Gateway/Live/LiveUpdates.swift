import Fleet
import Messages

/// Shows other threads what turns have changed, once they are committed.
struct LiveUpdates {
    private let view: LiveView
    private let messages: LiveMessages
    private var painter = LivePainter()

    init(_ board: Switchboard) { (view, messages) = (board.view, board.messages) }

    /// The turn is committed.
    mutating func note(_ turn: Turn) {
        painter.note(turn.effects)
        for address in turn.effects.forgotten { messages.forget(address.vehicle) }
        messages.add(turn.news)
    }

    /// Who asks from now on is shown what holds from now on.
    func expire() { view.expire() }

    /// Shows what holds now to those who have asked; costs nothing where nobody has.
    mutating func show(_ engine: Engine, isConnected: Bool, at now: Timestamp) {
        guard view.isAwaited else { return }
        view.show(painter.paint(engine, isConnected: isConnected, at: now))
    }
}
