/// The gateway's own topics, under a prefix so that tenants can share a broker.
public struct GatewayTopics: Hashable, Sendable {
    /// `headroom/status/{client_id}`: retained; says whether the gateway is there.
    public let status: String
    /// `headroom/probe/{client_id}`: a message that the gateway sends itself to see that it comes back.
    public let probe: String

    /// `clientID` must be able to stand as one topic level.
    public init(prefix: String = "headroom", clientID: String) throws(TopicProblem) {
        let levels = try TopicLevels.split(prefix)
        guard try TopicLevels.split(clientID).count == 1 else { throw .forbiddenCharacter(level: clientID) }
        for level in levels + [clientID] where level.contains(where: { $0 == "{" || $0 == "}" }) {
            throw .strayBrace(level)
        }
        status = "\(prefix)/status/\(clientID)"
        probe = "\(prefix)/probe/\(clientID)"
    }
}
