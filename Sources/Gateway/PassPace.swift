/// How many messages one pass takes, by how long passes take: what a message causes leaves when its pass is over, and an alert
/// must not wait for what a thousand others cause.
struct PassPace {
    /// With what the broker then takes to read it, an alert waits less than 50 ms.
    private static let secondsMax = 0.03
    /// Fewer would be hardly worth a commit; more are no faster.
    private static let range = 64...4_096
    /// By so few the time of one is not known.
    private static let countMin = 32

    private(set) var messagesMax = 512

    /// Notes how long a pass took with so many messages.
    mutating func note(_ count: Int, took seconds: Double) {
        guard count >= Self.countMin, seconds > 0 else { return }
        let affordable = (Double(count) * Self.secondsMax / seconds).rounded(.down)
        let next = Int(min(affordable, Double(2 * messagesMax)))
        messagesMax = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}
