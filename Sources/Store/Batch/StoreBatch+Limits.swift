/// What a batch held that no store takes, whatever becomes of the rest.
package struct UnstorableParts: Sendable {
    /// Each with what is wrong with it.
    package var messages: [(message: OutboxMessage, reason: String)] = []
    package var states: [(vehicle: StoredVehicle, reason: String)] = []
}

extension StoreBatch {
    /// Takes out messages that cannot be sent over MQTT and states that are too large: `Store.commit` throws `unsendable` or
    /// `stateTooLarge` for each.
    package mutating func removeUnstorable(_ limits: StoreLimits) -> UnstorableParts {
        var parts = UnstorableParts()
        outbox.removeAll { message in
            guard let reason = message.objection(limits) else { return false }
            parts.messages.append((message, reason))
            return true
        }
        changed.removeAll { vehicle in
            guard vehicle.state.count > limits.stateBytes else { return false }
            parts.states.append((vehicle, "expected at most \(limits.stateBytes) bytes, got \(vehicle.state.count)"))
            return true
        }
        return parts
    }
}
