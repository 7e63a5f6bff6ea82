import Fleet
package import Messages
package import Wire

/// What the gateway counts: written by the gateway thread, read by the HTTP threads, shared without a lock.
///
/// The names are a contract with dashboards and alert rules: `families` adds, but never renames.
package final class GatewayMetrics: Sendable {
    /// From the broker, on any subscription, before anything is judged.
    package let messagesReceived = Counter()
    /// Fixes the engine used.
    package let fixes = Counter()
    /// Inputs, or parts of them, that were not used.
    package let rejected = LabelledCounter(InputError.allCases)
    /// Messages that were understood and say nothing about where a vehicle is.
    package let otherMessages = LabelledCounter(OtherMessage.allCases)
    /// Alert stages that were committed to the outbox.
    package let alerts = LabelledCounter(AlertMessage.Stage.inOrder)
    /// Alerts at `stop` that nobody had answered in time.
    package let escalations = Counter()
    package let fenceEvents = LabelledCounter(FenceEventMessage.Event.allCases)
    /// Messages that are committed and not yet acknowledged by the broker.
    package let outboxPending = Gauge()
    /// From a fix's arrival to the broker's acknowledgement of what it caused. From one millisecond, which a loopback
    /// broker takes, to a minute, the age beyond which no fix may raise an alert.
    package let fixToPublish = Histogram(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])
    /// Vehicles the engine holds.
    package let vehicles = Gauge()
    /// 1 while the connection to the broker stands.
    package let brokerConnected = Gauge()
    /// Retained inputs that are kept here and that the broker has lost, as far as is known: a gauge, for it falls back to 0
    /// when the broker has them again.
    package let retainedMissing = Gauge()
    /// Retained inputs that were published again because the broker had lost them.
    package let retainedRepublished = Counter()
    /// How long each commit of a batch took; only count and sum are shown.
    package let storeCommits = Histogram(bounds: [])
    /// Attempts to read or write the store that failed and are repeated.
    package let storeFailures = Counter()
    /// What could be neither stored nor sent.
    package let quarantined = LabelledCounter(Quarantine.Kind.allCases)
    /// 1 once the whole store was checked after the start.
    package let storeChecked = Gauge()
    /// In how many places it was damaged then.
    package let storeDamages = Gauge()
    /// Vehicles that began anew at the start because their state could not be read.
    package let vehiclesUnreadable = Counter()

    package let cluster = ClusterMetrics()

    private let version: String

    /// - Parameter version: of the program, shown in `headroom_build_info`.
    package init(version: String) {
        self.version = version
    }

    /// Every metric as it stands now.
    package var families: [MetricFamily] {
        [
            MetricFamily(
                "headroom_messages_received_total", "Messages received from the broker.", messagesReceived),
            MetricFamily("headroom_fixes_total", "Position fixes used.", fixes),
            MetricFamily(
                "headroom_rejected_total", "Inputs, or parts of them, that were not used.", rejected, by: "reason"),
            MetricFamily(
                "headroom_other_messages_total", "Messages that say nothing about where a vehicle is.", otherMessages,
                by: "type"),
            MetricFamily("headroom_alerts_total", "Stages of low-clearance alerts.", alerts, by: "stage"),
            MetricFamily(
                "headroom_escalations_total", "Stops that nobody had acknowledged or taken in time.", escalations),
            MetricFamily("headroom_fence_events_total", "Fence events.", fenceEvents, by: "event"),
            MetricFamily(
                "headroom_outbox_pending", "Messages committed and not yet acknowledged by the broker.", outboxPending),
            MetricFamily(
                "headroom_fix_to_publish_seconds",
                "From the arrival of a fix to the broker's acknowledgement of what it caused.", fixToPublish),
            MetricFamily("headroom_vehicles", "Vehicles known.", vehicles),
            MetricFamily(
                "headroom_broker_connected", "1 while the connection to the broker stands.", brokerConnected),
            MetricFamily(
                "headroom_retained_missing", "Retained inputs that are kept here and that the broker has lost.",
                retainedMissing),
            MetricFamily(
                "headroom_retained_republished_total",
                "Retained inputs that were published again because the broker had lost them.", retainedRepublished),
            MetricFamily(
                "headroom_store_commit_seconds", "Commits to the store, one a batch.", totalsOf: storeCommits),
            MetricFamily(
                "headroom_store_failures_total", "Attempts to read or write the store that failed and are repeated.",
                storeFailures),
            MetricFamily(
                "headroom_quarantined_total", "What could be neither stored nor sent.", quarantined, by: "kind"),
            MetricFamily(
                "headroom_store_checked", "1 once the whole store was checked after the start.", storeChecked),
            MetricFamily("headroom_store_damages", "Places in which the store was damaged then.", storeDamages),
            MetricFamily(
                "headroom_vehicles_unreadable_total",
                "Vehicles that began anew at the start because their state could not be read.", vehiclesUnreadable),
            buildInfo,
        ] + cluster.families
    }

    private var buildInfo: MetricFamily {
        MetricFamily(
            name: "headroom_build_info", help: "The program that runs; the value is always 1.", kind: .gauge,
            samples: [MetricFamily.Sample(labels: [MetricFamily.Label("version", version)], value: 1)])
    }
}

extension AlertMessage.Stage {
    /// Every stage. The engine's type does not list them; this switch stops compiling when one is added.
    static let inOrder = Array(
        sequence(first: Self.ahead) { stage in
            switch stage {
            case .ahead: .detour
            case .detour: .stop
            case .stop: .cleared
            case .cleared: .passed
            case .passed: nil
            }
        })
}
