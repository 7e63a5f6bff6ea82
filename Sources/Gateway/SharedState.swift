/// What the gateway thread shares with others: what it counts, whether it is ready, what it shows and says, and what it is
/// to publish. Made before the gateway, so that a console can answer while it still starts.
public struct SharedState: Sendable {
    public let metrics: GatewayMetrics
    public let readiness: Readiness
    public let view: LiveView
    public let messages: LiveMessages
    public let publisher: RetainedPublisher

    /// - Parameter version: of the program.
    public init(version: String) {
        metrics = GatewayMetrics(version: version)
        readiness = Readiness()
        view = LiveView()
        messages = LiveMessages()
        publisher = RetainedPublisher()
    }
}
