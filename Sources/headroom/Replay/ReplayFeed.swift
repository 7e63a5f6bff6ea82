import Fleet
import Geo
import Messages
import Traces

/// Feeds what was recorded to an engine, in the order in which it came, with what fell due between.
final class ReplayFeed {
    /// What an engine says at a moment.
    typealias Listener = (Effects, Timestamp) -> Void

    let engine: Engine
    /// The profiles of vehicles that say nothing about their height themselves; each is told once.
    private var heights: [VehicleID: HeightProfile]

    init(engine: Engine, heights: [VehicleID: HeightProfile]) {
        self.engine = engine
        self.heights = heights
    }

    /// Several traces as one: the numbers of each trace and its entry, those that came at one time in the order of the
    /// traces and of their lines.
    static func order(_ traces: [Trace]) -> [(trace: Int, entry: Int)] {
        let all = traces.indices.flatMap { trace in traces[trace].entries.indices.map { (trace: trace, entry: $0) } }
        func arrival(_ place: (trace: Int, entry: Int)) -> Timestamp {
            traces[place.trace].entries[place.entry].arrival
        }
        return all.sorted { (arrival($0), $0.trace, $0.entry) < (arrival($1), $1.trace, $1.entry) }
    }

    /// What falls due by `time`, each when it is due.
    func advance(to time: Timestamp, _ listener: Listener) {
        engine.advance(to: time, listener)
    }

    /// - Returns: what the entry itself has caused.
    func feed(_ entry: TraceEntry, _ listener: Listener) -> Effects {
        advance(to: entry.arrival, listener)
        let inputs = entry.inputs.flatMap { input in
            [height(before: input), input].compactMap(\.self)
        }
        return engine.handle(inputs)
    }

    private func height(before input: Input) -> Input? {
        guard case .report(_, let address, let time) = input,
            let profile = heights.removeValue(forKey: address.vehicle)
        else { return nil }
        return .report(.profile(profile), from: address, receivedAt: time)
    }
}
