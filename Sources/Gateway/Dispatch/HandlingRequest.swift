package import Messages

/// What a dispatcher wants to be in force for an alert.
package struct HandlingRequest: Sendable {
    /// The id of the alert.
    package var alert: String
    package var vehicle: VehicleID
    /// `taken` or `closed`.
    package var status: Handling.Status
    /// The name of the dispatcher who sees to it.
    package var by: String
    package var note: String?
    /// Whether what is in force is what the dispatcher has seen, by its revision; nil: the alert is not taken.
    package var isExpected: @Sendable (_ revision: Int?) -> Bool

    package init(
        alert: String, vehicle: VehicleID, status: Handling.Status, by: String, note: String?,
        isExpected: @escaping @Sendable (_ revision: Int?) -> Bool
    ) {
        self.alert = alert
        self.vehicle = vehicle
        self.status = status
        self.by = by
        self.note = note
        self.isExpected = isExpected
    }
}

/// What becomes of it.
package enum HandlingOutcome: Hashable, Sendable, Codable {
    /// It is stored.
    case stored(Handling)
    /// Neither is the alert open, nor has anybody to take it, nor is it taken.
    case unknown
    /// Another dispatcher was faster.
    case changed
    /// Too many alerts are taken.
    case full
    /// The gateway does not run, or its store does not work.
    case unavailable
}
