/// What dispatch does about an alert, as of its last change.
public struct Handling: Hashable, Sendable, Codable {
    public enum Status: String, Sendable, Codable {
        /// A dispatcher sees to it.
        case taken
        /// A dispatcher is done with it.
        case closed
        /// The alert has ended meanwhile.
        case ended
    }

    /// The id of the alert.
    public var alert: String
    public var vehicle: VehicleID
    public var status: Status
    /// The name of the dispatcher who sees to it.
    public var by: String
    public var note: String?
    /// Since when it is that dispatcher.
    public var takenAt: Timestamp
    /// When this was said.
    public var time: Timestamp
    /// Counts up with each change of any handling.
    public var revision: Int
    /// Whether the alert was open then.
    public var isAlertOpen: Bool

    public init(
        alert: String, vehicle: VehicleID, status: Status, by: String, note: String?, takenAt: Timestamp,
        time: Timestamp, revision: Int, isAlertOpen: Bool
    ) {
        self.alert = alert
        self.vehicle = vehicle
        self.status = status
        self.by = by
        self.note = note
        self.takenAt = takenAt
        self.time = time
        self.revision = revision
        self.isAlertOpen = isAlertOpen
    }
}
