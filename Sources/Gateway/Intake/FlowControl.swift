import Geo
import Messages

/// How many messages a pass takes from the broker, and whether newer fixes displace older ones.
struct FlowControl {
    /// Seconds that messages may wait at the broker before newer fixes displace older ones: half of the age at which a fix raises
    /// no alert any more. A burst, or a broker that was away, is worked off in full.
    private static let delayMax: Seconds = 30
    /// Seconds for which some may wait here: where messages lead to no more than usual, none waits longer than for a turn or two.
    private static let waitMax: Seconds = 5
    /// Seconds for which more is read while acknowledgements are held back: what is published waits with them.
    private static let holdMax: Seconds = 1

    private var pace = PassPace()
    /// Since when messages have come with every pass; nil: the last had none.
    private var busySince: Timestamp?
    /// Since when a turn has left messages; nil: the last took all.
    private var waitingSince: Timestamp?
    /// Since when acknowledgements are held back; nil: they are not.
    private var holdingSince: Timestamp?

    /// Of the limits of `TurnBudget`.
    var share: Double { pace.share }

    /// Whether fixes are judged far too late, if all are: messages have waited here for seconds, or have come without a break for
    /// so long that those that come now have waited at the broker for half a minute. A broker that stood still, and what queued up
    /// meanwhile, is none of that.
    ///
    /// - Parameter delay: seconds from sending a message to receiving it; nil: not known.
    func isOverloaded(delay: Seconds?, at now: Timestamp) -> Bool {
        if let waitingSince, now.since(waitingSince) > Self.waitMax { return true }
        guard let busySince, let delay else { return false }
        return min(delay, now.since(busySince)) > Self.delayMax
    }

    /// How many messages are read from the broker: as many as one turn can probably take, with those that wait already. The others
    /// wait at the broker, which can keep them; but where the gateway is overloaded as many are read as there is room for, so that
    /// newer fixes displace older ones.
    ///
    /// Acknowledgements leave once nothing waits that is to be acknowledged. Until then nothing more is read; but where the gateway
    /// is overloaded that goes on for a second, so that fixes of QoS 1 are displaced too, and are acknowledged with the others.
    mutating func room(besides waiting: WaitingMessages.Amount, isOverloaded: Bool, at now: Timestamp) -> Int {
        holdingSince = waiting.holdsAcknowledgements ? holdingSince ?? now : nil
        if let holdingSince, !isOverloaded || now.since(holdingSince).magnitude > Self.holdMax { return 0 }
        guard !waiting.isFull else { return 0 }
        return max(0, (isOverloaded ? WaitingMessages.countMax : pace.messagesMax) - waiting.count)
    }

    /// Notes what a pass has received.
    ///
    /// - Parameter isIdle: nothing came that is not the gateway's own, and nothing waited.
    mutating func noteReceipt(isIdle: Bool, at now: Timestamp) { busySince = isIdle ? nil : busySince ?? now }

    /// Notes how long a turn took with so many messages, up to their acknowledgement.
    ///
    /// - Parameter isLast: it left none.
    mutating func noteTurn(_ count: Int, isLast: Bool, took seconds: Seconds, at now: Timestamp) {
        pace.noteTurn(took: seconds)
        if isLast { pace.note(count, took: seconds) } else { pace.noteSplit(count) }
        waitingSince = isLast ? nil : waitingSince ?? now
    }
}
