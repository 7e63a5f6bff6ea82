import Gateway

/// What the console counts of itself.
final class ConsoleMetrics: Sendable {
    /// What a request was about.
    enum RouteGroup: String, CaseIterable {
        case alerts, clearances, documents, events, fences, health, metrics, page, status, stream, tiles, vehicles,
            visits
        /// A path that leads nowhere.
        case other
    }

    /// How it was answered.
    enum StatusClass: String, CaseIterable {
        case success = "2xx"
        case redirection = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"
    }

    /// Bytes of bodies, before they go through TCP.
    let sentBytes = Counter()
    private let requests: [RouteGroup: [StatusClass: Counter]]
    let streams = OpenStreams(max: ConsoleLimits.streams, maxOfPeer: ConsoleLimits.streamsOfPeer)
    /// A phone company's address translation is one address for all.
    let cabStreams = OpenStreams(max: ConsoleLimits.cabStreams, maxOfPeer: ConsoleLimits.cabStreams)

    init() {
        requests = Dictionary(
            uniqueKeysWithValues: RouteGroup.allCases.map { route in
                (route, Dictionary(uniqueKeysWithValues: StatusClass.allCases.map { ($0, Counter()) }))
            })
    }

    func count(_ route: RouteGroup, _ status: StatusClass) { requests[route]?[status]?.add() }

    /// Every metric as it stands now; all series from the start, as those of the gateway.
    var families: [MetricFamily] {
        [
            MetricFamily(
                name: "headroom_http_requests_total", help: "Requests answered by the console.", kind: .counter,
                samples: requestSamples),
            MetricFamily(
                name: "headroom_http_sent_bytes_total", help: "Bytes of the console's answers.", kind: .counter,
                samples: [MetricFamily.Sample(value: Double(sentBytes.value))]),
            MetricFamily(
                name: "headroom_streams", help: "Event streams that are open.", kind: .gauge,
                samples: [MetricFamily.Sample(value: Double(streams.count))]),
            MetricFamily(
                name: "headroom_cab_streams", help: "Event streams of phones that are open.", kind: .gauge,
                samples: [MetricFamily.Sample(value: Double(cabStreams.count))]),
        ]
    }

    private var requestSamples: [MetricFamily.Sample] {
        RouteGroup.allCases.flatMap { route in
            StatusClass.allCases.map { status in
                let labels = [
                    MetricFamily.Label("route", route.rawValue), MetricFamily.Label("status", status.rawValue),
                ]
                return MetricFamily.Sample(labels: labels, value: Double(requests[route]?[status]?.value ?? 0))
            }
        }
    }
}
