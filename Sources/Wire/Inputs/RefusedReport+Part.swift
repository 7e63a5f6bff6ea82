import Messages

extension RefusedReport {
    /// What a vehicle is told of a payload that is not used; nil for topics where nothing unsafe follows from it: there it is
    /// counted, and the earlier input holds.
    init?(_ topicSuffix: TopicSuffix, _ part: RejectedPart) {
        let subject: Subject
        switch topicSuffix {
        case .consent: subject = .consent
        case .profile: subject = .profile
        default: return nil
        }
        self.init(subject, problem: part.problem?.description ?? part.reason.rawValue)
    }
}
