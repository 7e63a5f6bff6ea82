import Broker
import Fleet
import Foundation
import Gateway
import Hashing
import Messages
import Store
import Wire

/// Forgets a vehicle: by itself where no gateway has the store open, else by asking the one that has.
///
/// Belongs to one thread: that of the store and of the connection to the broker.
final class ForgetRun {
    struct Plan: Sendable {
        var vehicle: VehicleID
        var gateway: GatewayConfiguration
        var topicPrefix: String
        var timeout: Duration
        var isDry: Bool
        /// As of `BrokerConversation`.
        var mayEndSession: Bool
    }

    private let plan: Plan
    /// Also those that were in use before, once the store was asked.
    private var patterns: TopicPatterns

    init(_ plan: Plan) {
        self.plan = plan
        patterns = TopicPatterns(plan.gateway.pattern)
    }

    /// - Throws: where nothing was removed. What was removed in part is in the report.
    func run() throws -> ForgetReport {
        // A store that is not there would be made.
        let reader = try StoreReader.opened(plan.gateway.location)
        patterns = try TopicPatterns(plan.gateway.pattern, in: reader)
        return plan.isDry ? try look(reader) : try forget()
    }

    private func look(_ reader: StoreReader) throws -> ForgetReport {
        let (vehicle, patterns) = (plan.vehicle, patterns)
        let storedData = try reader.storedData(of: vehicle) { patterns.concerns(vehicle, $0) }
        var report = ForgetReport(vehicle: vehicle, stored: ForgetAnswer.Removed(storedData), doneBy: .nobody)
        reachBroker(&report) { conversation, report in
            report.retained = try conversation.retained()
            report.problems += conversation.problems
        }
        return report
    }

    private func forget() throws -> ForgetReport {
        let idle: IdleStore
        do throws(StoreError) {
            idle = try IdleStore(plan.gateway)
        } catch {
            guard case .inUse(_, let process) = error else { throw error }
            return try ask(process)
        }
        let (storedData, topics) = try idle.forget(plan.vehicle)
        try idle.close()
        var report = ForgetReport(
            vehicle: plan.vehicle, stored: ForgetAnswer.Removed(storedData), doneBy: .command)
        let isReached = reachBroker(&report) { try sweep($0, topics, &$1) }
        if !isReached {
            report.problems.append(
                "what is retained about \(plan.vehicle) on the broker may still be there; run this again once it can be asked"
            )
        }
        return report
    }

    // MARK: The gateway

    /// - Parameter process: that holds the store, where that is known.
    private func ask(_ process: Int32?) throws -> ForgetReport {
        let conversation = try ForgetConversation(plan, patterns)
        try conversation.open()
        let retained = try conversation.retained()
        let holder = process.map { "process \($0)" } ?? "another process"
        guard let answer = try conversation.ask() else {
            throw CommandError.failed(
                "\(holder) has the store \(plan.gateway.location) open and gave no answer over the broker within "
                    + "\(plan.timeout); it may yet do it; see whether that gateway is connected, and run this again")
        }
        var report = ForgetReport(
            vehicle: plan.vehicle, stored: answer.removed ?? ForgetAnswer.Removed(), doneBy: .gateway)
        guard answer.status != "failed" else {
            throw CommandError.failed("the gateway refused: \(answer.reason ?? "it does not say why")")
        }
        report.retained = retained
        do {
            try sweep(conversation, [], &report)
            conversation.close()
        } catch {
            report.problems.append("\(error)")
        }
        return report
    }

    // MARK: The broker

    /// - Returns: whether nothing failed.
    @discardableResult
    private func reachBroker(
        _ report: inout ForgetReport, _ body: (ForgetConversation, inout ForgetReport) throws -> Void
    ) -> Bool {
        do {
            let conversation = try ForgetConversation(plan, patterns)
            try conversation.open()
            try body(conversation, &report)
            conversation.close()
            return true
        } catch {
            report.problems.append("\(error)")
            return false
        }
    }

    /// Takes back what is retained on `topics`, and whatever else is found of the vehicle: it may have been heard under
    /// other levels before.
    private func sweep(_ conversation: ForgetConversation, _ topics: [String], _ report: inout ForgetReport) throws {
        let found = try conversation.retained()
        report.retained = BytewiseText.distinct(report.retained + found)
        let refused = try conversation.clear(BytewiseText.distinct(topics + found))
        report.retained.removeAll { refused.keys.contains($0) }
        report.problems += refused.sorted { $0.key < $1.key }.map {
            "the broker refused to clear \($0.key): \($0.value)"
        }
        report.problems += conversation.problems
    }
}
