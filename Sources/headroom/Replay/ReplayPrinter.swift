import Fleet
import Gateway
import Messages
import MQTT
import Traces
import Wire

/// Prints what the engine says to recorded lines, and what became of them.
struct ReplayPrinter {
    private let feed: ReplayFeed
    private let topics: GatewayTopics
    private let encoder: WireEncoder

    init(feed: ReplayFeed, configuration: GatewayConfiguration) {
        self.feed = feed
        topics = configuration.topics
        encoder = WireEncoder(pattern: configuration.pattern)
    }

    mutating func play(_ traces: [Trace]) {
        var traces = traces
        for place in ReplayFeed.order(traces) {
            let entry = traces[place.trace].entries[place.entry]
            var effects = feed.feed(entry) { print($0, at: $1) }
            effects.registrations = entry.refusedEntries + effects.registrations
            print(effects, at: entry.arrival)
            for rejection in effects.rejections { traces[place.trace].noteUnused(rejection.reason, line: entry.line) }
        }
        finish(after: traces)
        for trace in traces { trace.tellAccount() }
    }

    /// Fence events wait for fixes that come late, and for who has left a fence to stay outside.
    private func finish(after traces: [Trace]) {
        let inputs = traces.flatMap(\.entries).filter { !$0.inputs.isEmpty }
        guard let last = inputs.map(\.arrival).max() else { return }
        let fixes = feed.engine.settings.fixes
        feed.advance(to: last.adding(fixes.reorder + fixes.hysteresisTime)) { print($0, at: $1) }
    }

    /// Everything that the gateway would publish, in its order.
    private func print(_ effects: Effects, at time: Timestamp) {
        let messages = (effects.envelopes + effects.transient).flatMap { envelope in
            [encoder.command(envelope, publishedAt: time), encoder.encode(envelope, publishedAt: time)]
                .compactMap(\.self)
        }
        let withdrawals =
            encoder.withdrawals(after: effects)
            + encoder.withdrawals(from: effects.left) { feed.engine.vehicle($0)?.address }
        let results = effects.registrations.map { $0.encoded(on: topics) }
        for message in messages + withdrawals + results { Terminal.print(message.line) }
    }
}

extension Trace {
    func tellAccount() {
        remark(account.summary)
        if let unused = account.unusedSummary { remark(unused) }
    }
}
