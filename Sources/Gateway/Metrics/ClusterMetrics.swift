import Synchronization

import typealias Geo.Seconds

/// What a gateway of a cluster knows of the queues of the vehicles, by their numbers.
package final class ClusterMetrics: Sendable {
    /// Of the queues that are this gateway's; nil: nothing that was sent to find out is committed yet. Nil as a whole: no cluster.
    private let lags = Mutex<[Int: Seconds?]?>(nil)

    func setLags(_ new: [Int: Seconds?]) { lags.withLock { $0 = new } }

    /// None where there is no cluster.
    var families: [MetricFamily] {
        guard let lags = lags.withLock({ $0 }) else { return [] }
        let queues = lags.sorted { $0.key < $1.key }
        func family(_ name: String, _ help: String, _ value: (Seconds?) -> Double?) -> MetricFamily {
            let samples = queues.compactMap { queue, lag in
                value(lag).map { MetricFamily.Sample(labels: [MetricFamily.Label("queue", "\(queue)")], value: $0) }
            }
            return MetricFamily(name: "headroom_cluster_queue_\(name)", help: help, kind: .gauge, samples: samples)
        }
        return [
            family("owned", "1 for each queue that this gateway owns.") { _ in 1 },
            family("lag_seconds", "Age of the newest message of this gateway's own behind which all is committed.") {
                $0
            },
        ]
    }
}
