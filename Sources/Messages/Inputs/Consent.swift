/// What a vehicle's driver, or the system of the device, allows the use of its positions.
public struct Consent: Hashable, Sendable, Codable {
    public enum Status: String, Sendable, Codable, CaseIterable {
        case notDetermined = "not-determined"
        case whenInUse = "when-in-use"
        case always
        case denied
        case restricted
    }

    public var status: Status
    /// Whether the app is being used now; matters to `whenInUse` alone.
    public var isInUse: Bool

    public init(_ status: Status, isInUse: Bool = false) {
        self.status = status
        self.isInUse = isInUse
    }
}
