package import MQTT

/// What became of a request to forget a vehicle.
package struct ForgetAnswer: Hashable, Sendable {
    /// How much of each kind was removed; its members are the message's.
    package struct Removed: Hashable, Sendable, Codable {
        /// Whether what was known of the vehicle was kept: its profile, its alerts, where it was last.
        package var state: Bool
        /// Alerts, fence events and visits.
        package var history: Int
        package var positions: Int
        /// Messages that were not sent yet.
        package var unsent: Int
        /// Retained inputs, as its route.
        package var inputs: Int
        /// Alerts that dispatch has to take.
        package var untaken: Int
        /// Phones that were paired with it.
        package var phones: Int

        package init(
            state: Bool = false, history: Int = 0, positions: Int = 0, unsent: Int = 0, inputs: Int = 0,
            untaken: Int = 0, phones: Int = 0
        ) {
            self.state = state
            self.history = history
            self.positions = positions
            self.unsent = unsent
            self.inputs = inputs
            self.untaken = untaken
            self.phones = phones
        }

        package var isNothing: Bool { !state && history + positions + unsent + inputs + untaken + phones == 0 }
    }

    package enum Outcome: Hashable, Sendable {
        case forgotten(Removed)
        /// Nothing was known of the vehicle and nothing stored.
        case unknown
        /// Nothing was done.
        case failed(reason: String)
    }

    /// The level by which the request's topic named the vehicle.
    package var vehicle: String
    /// The id of the request.
    package var request: String?
    package var outcome: Outcome

    package init(vehicle: String, request: String?, _ outcome: Outcome) {
        self.vehicle = vehicle
        self.request = request
        self.outcome = outcome
    }

    package func encoded(on topics: GatewayTopics) -> Publication {
        let payload = JSONWriter.object { writer in
            switch outcome {
            case .forgotten(let removed):
                writer.member("status", "forgotten")
                writer.member("removed") { $0.members(of: removed) }
            case .unknown:
                writer.member("status", "unknown")
            case .failed(let reason):
                writer.member("status", "failed")
                writer.member("reason", reason)
            }
            writer.member("request", request)
        }
        return Publication(
            topic: topics.forgetResult(vehicle), json: payload, userProperties: [.init("type", "result")])
    }
}

extension JSONWriter {
    fileprivate mutating func members(of removed: ForgetAnswer.Removed) {
        member("state", removed.state)
        member("history", removed.history)
        member("positions", removed.positions)
        member("unsent", removed.unsent)
        member("inputs", removed.inputs)
        member("untaken", removed.untaken)
        member("phones", removed.phones)
    }
}
