import Gateway
import Hummingbird

/// `GET /metrics`, for Prometheus.
struct MetricsRoom {
    let metrics: GatewayMetrics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("metrics") { [metrics] _, _ in
            Response.text(metrics.text, contentType: MetricsText.contentType)
        }
    }
}
