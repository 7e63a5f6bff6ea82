import Gateway
import Hummingbird

/// `GET /metrics`, for Prometheus.
struct MetricsRoutes {
    let gateway: GatewayMetrics
    let console: ConsoleMetrics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("metrics") { _, _ in
            Response.text(MetricsText.render(gateway.families + console.families), contentType: MetricsText.contentType)
        }
    }
}
