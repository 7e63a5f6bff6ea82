import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Roads

/// A vehicle that drives one trip under a low edge, as a client of its own at the broker.
struct TripVehicle {
    let drive: Drive
    /// Until it has driven on a little behind the first last turn-off.
    let fixes: [Fix]
    /// Those that it must be told of: two fixes at least come before the last turn-off.
    let passes: [Pass]
    let client: ChildProcess
    private let topic: String

    /// - Parameters:
    ///   - passes: of the trip, in driving order.
    ///   - beyond: how long it drives on behind the last turn-off before the first.
    init(_ name: String, _ drive: Drive, _ passes: [Pass], beyond: Seconds, _ broker: BrokerProcess) throws {
        self.drive = drive
        let interval = drive.settings.interval
        let due = passes.filter { pass in
            pass.detourDistance.map { drive.time(at: $0).since(drive.start) >= 2 * interval } ?? false
        }
        let last = due.first.map { drive.time(at: $0.detourDistance ?? 0).adding(beyond) } ?? drive.start
        fixes = drive.prefix { $0.time <= last }
        self.passes = due.filter { drive.time(at: $0.detourDistance ?? 0) <= last }
        client = try broker.speaker("fleet/\(name)/location")
        topic = "fleet/\(name)/alert"
    }

    /// How far before the last turn-off the vehicle truly was when it heard of the hazard; nil: it was not told before,
    /// or told that all was clear.
    func lead(_ pass: Pass, _ heard: [Listener.Heard], _ network: RoadNetwork, _ table: HazardTable) -> Metres? {
        guard let detour = pass.detourDistance else { return nil }
        let deadline = drive.time(at: detour).secondsSince1970
        let own = heard.filter { $0.topic == topic && $0.arrival <= deadline }.compactMap { heard in
            heard.alert.map { (arrival: heard.arrival, alert: $0) }
        }
        let ended = Set(own.filter { ["cleared", "passed"].contains($0.alert.stage) }.map(\.alert.id))
        let first = own.first { item in
            !ended.contains(item.alert.id)
                && pass.isSubject(ofAlertWith: item.alert.chain, network, table)
        }
        guard let first else { return nil }
        return detour - drive.place(at: Timestamp(milliseconds: Int64(first.arrival * 1000))).distance
    }
}

/// The members of an alarm that tests look at.
struct HeardAlert {
    var id: String
    var sequence: Int
    var stage: String
    var chain: [String]
}

extension Listener.Heard {
    /// Nil where it is none, or a notice, which nobody hears.
    var alert: HeardAlert? {
        guard let object, object["attention"] as? String == "alarm", let id = object["id"] as? String,
            let sequence = object["sequence"] as? Int,
            let stage = object["stage"] as? String, let chain = object["chain"] as? [String]
        else { return nil }
        return HeardAlert(id: id, sequence: sequence, stage: stage, chain: chain)
    }
}

extension Listener {
    /// The alerts heard on a topic, each once: what the broker has acknowledged just before a kill is published again.
    func alerts(_ topic: String) -> [HeardAlert] {
        heard(topic).compactMap(\.alert).reduce(into: []) { alerts, alert in
            if !alerts.contains(where: { $0.id == alert.id && $0.sequence == alert.sequence }) { alerts.append(alert) }
        }
    }
}
