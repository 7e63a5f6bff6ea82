import Fleet
import Gateway
import Geo
import Messages
import Traces
import Wire

/// Replays a recording up to one moment, and explains how every vehicle, or one of them, stood then.
struct ReplayExplainer {
    let feed: ReplayFeed
    /// Nil: all.
    let vehicle: String?
    let writesJSON: Bool

    func explain(_ traces: [Trace], at moment: ReplayMoment) throws {
        let inputs = traces.flatMap(\.entries).flatMap(\.inputs)
        let wanted = inputs.filter { vehicle == nil || $0.vehicle?.text == vehicle }
        let times = wanted.flatMap(\.fixes).map(\.time)
        guard let first = times.min(), let last = times.max() else {
            throw CommandError.failed("there is no fix of vehicle \(vehicle ?? "") in the trace")
        }
        let time = moment.time(from: first)
        guard (first...last).contains(time) else { throw outside(time, first, last) }
        replay(traces, until: time)
        try print(Set(wanted.compactMap(\.vehicle)).sorted(), at: time)
    }

    private func outside(_ time: Timestamp, _ first: Timestamp, _ last: Timestamp) -> CommandError {
        let range = "\(RFC3339.text(first)) to \(RFC3339.text(last)) (+\(last.since(first)) s)"
        let side = time < first ? "before the first fix" : "after the last fix"
        return .failed("\(RFC3339.text(time)) is \(side): the trace goes from \(range)")
    }

    private func replay(_ traces: [Trace], until time: Timestamp) {
        for place in ReplayFeed.order(traces) {
            let entry = traces[place.trace].entries[place.entry]
            guard entry.arrival <= time else { break }
            _ = feed.feed(entry) { _, _ in }
        }
        // What fell due since the last fix.
        feed.advance(to: time) { _, _ in }
    }

    private func print(_ vehicles: [VehicleID], at time: Timestamp) throws {
        let explanations = vehicles.compactMap { feed.engine.explanation(of: $0, at: time) }
        guard !explanations.isEmpty else {
            throw CommandError.failed("no fix up to \(RFC3339.text(time)) could be used: there is nothing to explain")
        }
        if writesJSON {
            for explanation in explanations { Terminal.print(String(decoding: explanation.json(), as: UTF8.self)) }
        } else {
            Terminal.print(
                explanations.map { "\(RFC3339.text($0.time))\n\n\($0.words)" }.joined(separator: "\n\n---\n\n"))
        }
        for vehicle in vehicles where feed.engine.explanation(of: vehicle, at: time) == nil {
            Terminal.error("vehicle \(vehicle): no fix up to \(RFC3339.text(time)) could be used")
        }
    }
}
