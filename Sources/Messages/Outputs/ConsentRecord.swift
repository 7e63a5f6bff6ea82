/// What a vehicle that is not kept has said about consent, under a name that cannot be read back.
public struct ConsentRecord: Hashable, Sendable {
    /// Derived from the vehicle's id.
    public var digest: String
    /// Nil: what it says now is kept with it, or it says nothing any more.
    public var status: Consent.Status?

    public init(digest: String, status: Consent.Status?) {
        self.digest = digest
        self.status = status
    }
}
