import Fleet
import Geo
import Logging
import Messages

/// Counts and logs what turns have brought, once they are carried out.
struct TurnAccount {
    private let metrics: GatewayMetrics
    private let logger: Logger
    private var rejections: RejectionLog

    init(_ metrics: GatewayMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
        rejections = RejectionLog(logger: logger)
    }

    /// - Parameters:
    ///   - engine: as it is after the turn.
    ///   - now: when it was carried out.
    mutating func note(_ turn: Turn, of engine: Engine, at now: Timestamp) {
        let effects = turn.effects
        metrics.fixes.add(effects.fixesAccepted)
        metrics.escalations.add(turn.dispatch.escalations)
        for forgetting in effects.erasures {
            logger.info("A vehicle was forgotten", metadata: ["request": "\(forgetting.request.id ?? "none")"])
        }
        for rejected in turn.taken.rejections {
            metrics.rejected[rejected.reason].add()
            let mayBeNamed = rejected.vehicle.map(engine.mayBeKept) ?? true
            rejections.note(rejected, mayBeNamed: mayBeNamed, at: turn.time)
        }
        for other in turn.taken.others { metrics.otherMessages[other].add() }
        for (vehicle, reason) in effects.rejections {
            metrics.rejected[reason].add()
            rejections.note(reason, of: vehicle, at: turn.time)
        }
        for envelope in effects.envelopes { note(envelope, took: now.since(turn.time)) }
    }

    private func note(_ envelope: Envelope, took seconds: Seconds) {
        switch envelope.message {
        case .alert(let alert):
            metrics.alerts[alert.stage].add()
            metrics.fixToPublish.observe(seconds)
            // A vehicle beside a clearance is a place: neither stands in the log that is kept by default.
            logger.debug(
                "\(alert.vehicle): \(alert.stage.rawValue) \(alert.clearance.id)",
                metadata: ["alert": "\(alert.id)", "sequence": "\(alert.sequence)"])
        case .event(let event):
            metrics.fenceEvents[event.event].add()
            logger.debug("\(envelope.address.vehicle): \(event.event.rawValue) \(event.fence)")
        case .routeCheck, .visit, .state, .regions, .tracking, .request: break
        }
    }
}
