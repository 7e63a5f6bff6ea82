/// Something that a vehicle said and that cannot be understood, where it must not be passed over: the safe value holds until
/// something valid comes, and the sender is told what was wrong.
public struct RefusedReport: Hashable, Sendable {
    public enum Subject: String, Hashable, Sendable {
        /// Counts as denied.
        case consent
        /// The last good height stays.
        case profile
    }

    public var subject: Subject
    /// What was expected and what was got, for people; no full stop at its end.
    public var problem: String

    public init(_ subject: Subject, problem: String) {
        self.subject = subject
        self.problem = problem
    }
}
