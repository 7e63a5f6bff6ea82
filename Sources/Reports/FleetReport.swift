package import Hashing
package import Messages
import Store
import Wire

/// What happened in a span of time, as the history and the responses to it have it. Days and hours are those of UTC.
///
/// An alert belongs to the time of its first message, with what became of it until a week after the span.
package struct FleetReport: Sendable {
    /// How far ahead drivers were told, over all alerts that were to be heard.
    package struct Lead: Hashable, Sendable {
        /// The least, the value that nine of ten exceed, and the median.
        package struct Spread: Hashable, Sendable {
            package var minimum: Double
            package var tenth: Double
            package var median: Double

            /// Nil: there is no value.
            init?(_ values: [Double]) {
                let sorted = values.sorted()
                guard let first = sorted.first else { return nil }
                (minimum, tenth, median) = (first, sorted[sorted.count / 10], sorted[sorted.count / 2])
            }
        }

        /// To the low edge, along the road, metres.
        package var distance: Spread
        /// To the low edge, seconds.
        package var time: Spread
    }

    package struct Bridge: Hashable, Sendable {
        @BytewiseText package var id: String
        package var name: String
        /// The text on the sign.
        package var posted: String
    }

    /// A vehicle has passed under a bridge that is too low for it.
    package struct Pass: Sendable {
        package var time: Timestamp
        package var vehicle: VehicleID
        package var alert: String
        package var bridge: Bridge
    }

    package let span: Range<Timestamp>
    package private(set) var total = AlertCounts()
    /// Messages in the time, by the stage that they tell.
    package private(set) var messages: [AlertMessage.Stage: Int] = [:]
    /// Nil: no alert was to be heard.
    package private(set) var lead: Lead?
    /// By `2026-11-21`, those with alerts, in order.
    package private(set) var days: [(key: String, counts: AlertCounts)] = []
    /// By the hour of the day, 0 to 23, those with alerts, in order.
    package private(set) var hours: [(key: Int, counts: AlertCounts)] = []
    /// The most alerts first.
    package private(set) var bridges: [(key: Bridge, counts: AlertCounts)] = []
    /// The most alerts first.
    package private(set) var vehicles: [(key: VehicleID, counts: AlertCounts)] = []
    /// In the order of their times.
    package private(set) var passes: [Pass] = []
    /// Vehicles that were not warned for a while, the longest first.
    package private(set) var blind: [(vehicle: VehicleID, time: BlindTime)] = []
    /// Messages of the history that cannot be read.
    package private(set) var unreadable = 0

    /// There is no store yet.
    package init(nothingIn span: Range<Timestamp>) { self.init(span, ReportHistory()) }

    init(_ span: Range<Timestamp>, _ history: ReportHistory) {
        self.span = span
        (messages, passes, unreadable) = (history.messages, history.passes, history.unreadable)
        blind = history.blind.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
            .map { ($0.key, $0.value) }
        var (days, hours): ([String: AlertCounts], [Int: AlertCounts]) = ([:], [:])
        var (bridges, vehicles): ([Bridge: AlertCounts], [VehicleID: AlertCounts]) = ([:], [:])
        for (alert, entry) in history.alerts.values {
            total.add(alert)
            let time = RFC3339.text(entry.time)
            days[String(time.prefix(10)), default: AlertCounts()].add(alert)
            hours[Int(time.dropFirst(11).prefix(2)) ?? 0, default: AlertCounts()].add(alert)
            bridges[Bridge(alert.first.clearance), default: AlertCounts()].add(alert)
            vehicles[entry.vehicle, default: AlertCounts()].add(alert)
        }
        self.days = days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.hours = hours.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.bridges = bridges.sorted { ($1.value.alerts, $0.key.$id) < ($0.value.alerts, $1.key.$id) }
            .map { ($0.key, $0.value) }
        self.vehicles = vehicles.sorted { ($1.value.alerts, $0.key) < ($0.value.alerts, $1.key) }
            .map { ($0.key, $0.value) }
        let alarms = history.alerts.values.compactMap(\.alert.alarm)
        if let distance = Lead.Spread(alarms.map(\.distance)), let time = Lead.Spread(alarms.map(\.eta)) {
            lead = Lead(distance: distance, time: time)
        }
    }
}

extension FleetReport.Bridge {
    init(_ clearance: AlertPayload.Clearance) {
        self.init(id: clearance.id, name: clearance.name, posted: clearance.posted)
    }
}
