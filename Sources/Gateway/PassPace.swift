/// Limits how many messages one pass takes, by how long passes take, so that each commits, publishes and acknowledges within
/// 200 ms.
///
/// Fewer messages in a pass cost more each: every pass commits, and a commit waits for the disk.
struct PassPace {
    private static let secondsMax = 0.2
    /// Below this a commit costs more than what it commits; more than 4,096 are no cheaper each.
    private static let range = 512...4_096
    /// The time of fewer messages says little about that of one.
    private static let countMin = 32

    private(set) var messagesMax = 4_096

    /// Notes how long a pass took with so many messages.
    mutating func note(_ count: Int, took seconds: Double) {
        guard count >= Self.countMin, seconds > 0 else { return }
        let affordable = (Double(count) * Self.secondsMax / seconds).rounded(.down)
        let next = Int(min(affordable, Double(2 * messagesMax)))
        messagesMax = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}
