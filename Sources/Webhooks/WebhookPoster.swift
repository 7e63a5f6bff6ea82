import AsyncHTTPClient
import Foundation
import Gateway
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Store

/// Posts the messages of one webhook.
struct WebhookPoster: Sendable {
    /// A receiver that has not answered by then is taken not to: it is to store the message, and work on it afterwards.
    private static let timeout: TimeAmount = .seconds(10)

    /// For the log: the address may hold a password.
    let name: String
    let hook: Webhook
    let queue: WebhookQueue
    let client: HTTPClient
    /// `headroom/1.0`.
    let agent: String
    let logger: Logger

    /// Until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { pauses in
            var failures = 0
            for await _ in queue.arrivals(for: hook.url) {
                while !Task.isCancelled, let delivery = queue.next(for: hook.url) {
                    let (outcome, reason) = await post(delivery)
                    // A message that was cut off is tried again after the next start.
                    if Task.isCancelled { return }
                    let refusals = queue.settle(delivery, outcome)
                    log(outcome, reason, failures: failures, refusals: refusals)
                    failures = outcome == .failed ? failures + 1 : 0
                    switch outcome {
                    case .delivered: break
                    case .failed: try? await Task.sleep(for: Self.pause(after: failures))
                    case .refused:
                        pauses.addTask {
                            try? await Task.sleep(for: Self.pause(after: refusals))
                            queue.resume(delivery)
                        }
                    }
                }
            }
        }
    }

    /// Twice as long after each failure, up to five minutes: a receiver that is back is told soon, and one that is gone is
    /// asked 300 times a day. Drawn, so that many gateways do not come all at once.
    static func pause(after failures: Int) -> Duration {
        let longest = min(300, Double(1 << min(failures - 1, 9)))
        return .seconds(Double.random(in: 0.75...1) * longest)
    }

    private func post(_ delivery: WebhookDelivery) async -> (WebhookOutcome, reason: String) {
        let signature = WebhookSignature(
            message: delivery.message, seconds: Int(Date().timeIntervalSince1970), payload: delivery.payload,
            secret: hook.secret)
        var request = HTTPClientRequest(url: hook.url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "user-agent", value: agent)
        for (name, value) in signature.headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(delivery.payload)
        do {
            // The body of the answer says nothing more, and is not read.
            let status = try await client.execute(request, timeout: Self.timeout).status
            return (Self.outcome(status.code), "\(status.code)")
        } catch {
            return (.failed, Self.reason(error, url: hook.url))
        }
    }

    /// Why no answer came, without the address that was asked: it may be a secret.
    static func reason(_ error: any Error, url: String) -> String {
        if let error = error as? NIOConnectionError {
            guard let failure = error.connectionErrors.first else { return "the host's name is not known" }
            return "\(failure.error)"
        }
        // A certificate of another host, for one, is refused with the name that was expected.
        guard let host = URLComponents(string: url)?.host, !host.isEmpty else { return "\(error)" }
        return "\(error)".replacing(host, with: "…")
    }

    /// 408 and 429 speak of the webhook, and the others from 400 to 499 of the message.
    static func outcome(_ status: UInt) -> WebhookOutcome {
        switch status {
        case 200...299: .delivered
        case 408, 429: .failed
        case 400...499: .refused
        default: .failed
        }
    }

    /// Once for each series of failures, and at its end; a refused message at its first attempt.
    private func log(_ outcome: WebhookOutcome, _ reason: String, failures: Int, refusals: Int) {
        if outcome != .failed, failures > 0 { logger.notice("\(name) takes messages again") }
        switch (outcome, failures, refusals) {
        case (.failed, 0, _):
            logger.warning("\(name) does not take a message, which is tried again for a day: \(reason)")
        case (.refused, _, 1): logger.warning("\(name) refuses a message, which is tried again for a day: \(reason)")
        default: break
        }
    }
}
