/// What the gateway thread shares with others: what it counts, whether it is ready, what it shows and says, and what it is
/// to publish. Made before the gateway, so that a console can answer while it still starts.
package struct SharedState: Sendable {
    package let metrics: GatewayMetrics
    package let readiness: Readiness
    package let view: LiveView
    package let messages: LiveMessages
    package let publisher: InputPublisher
    package let handling: HandlingQueue
    package let engine: EngineReader
    package let cabs: CabAccess
    package let webhooks: WebhookQueue

    /// - Parameter version: of the program.
    package init(version: String) {
        metrics = GatewayMetrics(version: version)
        readiness = Readiness()
        view = LiveView()
        messages = LiveMessages()
        publisher = InputPublisher()
        handling = HandlingQueue()
        engine = EngineReader()
        cabs = CabAccess()
        webhooks = WebhookQueue()
    }
}
