import Fleet
import Messages
import MQTT
import Wire

/// What the gateway, vehicles and dispatch have retained on topics that were in use before.
extension TurnComposer {
    /// Takes back what is retained on the former topics of vehicles of which nothing may be kept any more.
    func formerWithdrawals(after effects: Effects) -> [Publication] {
        guard !patterns.former.isEmpty else { return [] }
        let asked = Set(effects.erasures.map(\.address))
        let topics = effects.forgotten.flatMap { address -> [String] in
            if asked.contains(address) { return patterns.formerTopics(of: address, TopicSuffix.withdrawnByForgetting) }
            return emptiesFormerTopics ? patterns.formerTopics(of: address, TopicSuffix.retainedOutputs) : []
        }
        return topics.map(Publication.withdrawal)
    }

    /// The same of vehicles that are kept, with all that is published again about them: whoever goes by the former topics would
    /// go by what no longer holds.
    func formerWithdrawals(_ effects: Effects, _ taken: Intake.Batch, of engine: Engine) -> [Publication] {
        guard emptiesFormerTopics else { return [] }
        let addresses = effects.left + taken.publishedAgain.compactMap { engine.vehicle($0)?.address }
        return addresses.flatMap { patterns.formerTopics(of: $0, TopicSuffix.retainedOutputs) }
            .filter { !patterns.current.isOutput($0) }.map(Publication.withdrawal)
    }
}
