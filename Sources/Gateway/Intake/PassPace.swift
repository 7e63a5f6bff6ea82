/// Limits how many messages one pass takes, by how long passes take, so that each commits, publishes and acknowledges within
/// 200 ms.
///
/// Fewer messages in a pass cost more each: every pass commits, and a commit waits for the disk. Where one turn cannot take
/// what a pass has taken, as each message leads to much, the passes that follow take no more than a turn can.
struct PassPace {
    private static let secondsMax = 0.2
    /// Below this a commit costs more than what it commits; more than 4,096 are no cheaper each.
    private static let range = 512...4_096
    /// The time of fewer messages says little about that of one.
    private static let countMin = 32
    /// So many at least, however much they lead to.
    private static let splitMin = 16

    /// A turn takes so much at least of what `TurnBudget` allows.
    private static let shareMin = 0.05

    private(set) var messagesMax = 4_096
    /// Of the limits of `TurnBudget`: less where the machine takes longer for them.
    private(set) var share = 1.0

    /// Notes how long a pass took with so many messages.
    mutating func note(_ count: Int, took seconds: Double) {
        guard messagesMax >= Self.range.lowerBound else {
            if count >= messagesMax { messagesMax = min(2 * messagesMax, Self.range.lowerBound) }
            return
        }
        guard count >= Self.countMin, seconds > 0 else { return }
        let affordable = (Double(count) * Self.secondsMax / seconds).rounded(.down)
        let next = Int(min(affordable, Double(2 * messagesMax)))
        messagesMax = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Notes how long a turn took, from its first message to what follows its commit.
    mutating func noteTurn(took seconds: Double) {
        share = seconds > Self.secondsMax ? max(Self.shareMin, share * Self.secondsMax / seconds) : min(1, share * 1.25)
    }

    /// Notes that a turn had enough with so many messages, and left others.
    mutating func noteSplit(_ count: Int) { messagesMax = min(max(count, Self.splitMin), messagesMax) }
}
