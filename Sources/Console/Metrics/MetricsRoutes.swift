import Gateway
import Hummingbird

/// `GET /metrics`, for Prometheus.
struct MetricsRoutes {
    let gateway: GatewayMetrics
    let webhooks: WebhookQueue
    let console: ConsoleMetrics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("metrics") { _, _ in
            let families = gateway.families + webhooks.families + console.families
            return Response.text(MetricsText.render(families), contentType: MetricsText.contentType)
        }
    }
}
