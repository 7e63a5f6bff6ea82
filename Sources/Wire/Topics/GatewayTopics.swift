package import Messages

/// The gateway's own topics, under a prefix so that tenants can share a broker.
package struct GatewayTopics: Hashable, Sendable {
    /// `headroom/status/{client_id}`: retained; says whether the gateway is there.
    package let status: String
    /// `headroom/probe/{client_id}`: a message that the gateway sends itself to see that it comes back.
    package let probe: String
    /// `headroom/probe/{client_id}/retained` and `…/retained-2`: what the gateway retains to see whether a subscription with a
    /// wildcard brings it, and whether the broker still has it.
    package let retainedProbes: [String]
    /// What to subscribe to for them: `headroom/probe/{client_id}/+`.
    package let retainedProbeFilter: String
    /// `headroom/clearances/`: each id below it is one clearance that dispatch keeps.
    private let clearances: String
    /// `headroom/fences/`: the same for fences.
    private let fences: String
    /// `headroom/`
    private let prefix: String
    /// `headroom/forget/`: below it, by vehicle, what an operator wants forgotten.
    private let forgets: String

    /// `clientID` must be able to stand as one topic level.
    package init(prefix: String = "headroom", clientID: String) throws(TopicError) {
        let levels = try TopicLevels.split(prefix)
        guard try TopicLevels.split(clientID).count == 1 else { throw .forbiddenCharacter(level: clientID) }
        for level in levels + [clientID] where level.contains(where: { $0 == "{" || $0 == "}" }) {
            throw .strayBrace(level)
        }
        status = "\(prefix)/status/\(clientID)"
        probe = "\(prefix)/probe/\(clientID)"
        retainedProbes = ["\(probe)/retained", "\(probe)/retained-2"]
        retainedProbeFilter = "\(probe)/+"
        clearances = "\(prefix)/clearances/"
        fences = "\(prefix)/fences/"
        self.prefix = "\(prefix)/"
        forgets = "\(prefix)/forget/"
    }

    /// The levels that all of them begin with: `headroom`.
    package var prefixLevels: String { String(prefix.dropLast()) }

    /// What to subscribe to for the clearances of dispatch; their results have a level more.
    package var clearanceFilter: String { clearances + "+" }

    /// The same for fences.
    package var fenceFilter: String { fences + "+" }

    /// What to subscribe to for requests to forget a vehicle; their answers have a level more.
    package var forgetFilter: String { forgets + "+" }

    /// Where to ask for a vehicle to be forgotten.
    package func forget(_ vehicle: VehicleID) -> String { forgets + vehicle.text }

    /// Where such a request is answered.
    ///
    /// - Parameter id: the level by which it named its vehicle.
    package func forgetResult(_ id: String) -> String { forgets + id + "/result" }

    /// What to subscribe to so that who writes an id with a slash is told so; results come by it, too.
    package var misnamedFilters: [String] { [fences, clearances].map { $0 + "+/+" } }

    private func isResult(_ topic: String) -> Bool {
        topic.hasSuffix("/result") && [fences, clearances].contains { Self.rest(of: topic, behind: $0) != nil }
    }

    /// Whether a gateway under this prefix has published there, this one or another: results, statuses, probes.
    package func isOutput(_ topic: String) -> Bool {
        isResult(topic) || topic.hasPrefix(prefix + "status/") || topic.hasPrefix(prefix + "probe/")
    }

    /// What a topic under the prefix is about; nil where it is none on which messages come in.
    func inbound(_ topic: String) -> InboundTopic? {
        guard Self.rest(of: topic, behind: prefix) != nil else { return nil }
        if let id = Self.rest(of: topic, behind: clearances) { return entry(.clearance, id) }
        if let id = Self.rest(of: topic, behind: fences) { return entry(.fence, id) }
        guard let id = Self.rest(of: topic, behind: forgets) else { return nil }
        return id.isEmpty || id.utf8.contains(Self.slash) ? nil : .forget(id: String(id))
    }

    private static let slash = UInt8(ascii: "/")

    /// What stands behind a prefix; nil: it is another topic. By bytes: a mark that an id begins with is one character with the
    /// slash before it.
    private static func rest(of topic: String, behind prefix: String) -> Substring? {
        guard topic.utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(topic.utf8.dropFirst(prefix.utf8.count))
    }

    /// - Parameter id: what stands behind the prefix of the kind.
    private func entry(_ kind: Registration.Kind, _ id: Substring) -> InboundTopic? {
        guard !id.isEmpty else { return nil }
        let slashes = id.utf8.count { $0 == Self.slash }
        if slashes == 0 { return kind == .fence ? .fence(id: String(id)) : .clearance(id: String(id)) }
        if id.hasSuffix("/result") { return .result }
        guard slashes == 1 else { return nil }
        return .misnamed(
            Registration(kind, id: String(id), .failed(reason: "expected an id of one topic level, got \"\(id)\"")))
    }

    /// Where an entry is kept.
    package func entry(of registration: Registration) -> String {
        switch registration.kind {
        case .clearance: clearances + registration.id
        case .fence: fences + registration.id
        }
    }

    /// Where a fence is kept, or a clearance.
    package func fence(_ id: String) -> String { fences + id }
    package func clearance(_ id: String) -> String { clearances + id }

    /// Where an entry's outcome is published.
    package func result(of registration: Registration) -> String { entry(of: registration) + "/result" }
}
