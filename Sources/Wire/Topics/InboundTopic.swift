package import Messages

/// What a topic is about on which messages come in.
package enum InboundTopic: Hashable, Sendable {
    /// A request to forget a vehicle; `id` is the level by which it names its vehicle.
    case forget(id: String)
    case fence(id: String)
    case clearance(id: String)
    /// What a gateway itself has published of what became of an entry.
    case result
    /// An entry whose id has two levels, and the answer to it.
    case misnamed(Registration)
    case vehicle(VehicleAddress, TopicSuffix)
    case input(InputMatch)
    /// Another topic (`unknownTopic`), or one whose vehicle's level is not an id (`invalidVehicleID`).
    case unknown(InputError)

    /// What it carries, for the log: one of the leaves, or the topic of an input as it is configured; nil for all others.
    package var source: String? {
        switch self {
        case .vehicle(_, let topicSuffix): topicSuffix.rawValue
        case .input(let match): "input \(match.input.topic)"
        case .forget, .fence, .clearance, .result, .misnamed, .unknown: nil
        }
    }
}

/// An input that takes a topic in, and what the topic's levels say to it.
package struct InputMatch: Hashable, Sendable {
    let input: FleetInput
    let levels: InputTopic.Match
    /// The topic of an OwnTracks device, without what its app adds for other messages; nil in the other layouts.
    let device: String?
}

/// Reads inbound topics, each once.
package struct InboundTopics: Sendable {
    private let gateway: GatewayTopics?
    private let pattern: TopicPattern
    private let inputs: [FleetInput]

    /// - Parameters:
    ///   - gateway: nil: those of vehicles and inputs only.
    ///   - inputs: none overlap. Each names every level that the pattern names.
    package init(_ gateway: GatewayTopics?, pattern: TopicPattern, inputs: [FleetInput]) {
        (self.gateway, self.pattern, self.inputs) = (gateway, pattern, inputs)
    }

    package func parse(_ topic: String) -> InboundTopic {
        if let inbound = gateway?.inbound(topic) { return inbound }
        do throws(InputError) {
            let (address, topicSuffix) = try pattern.parse(topic)
            return .vehicle(address, topicSuffix)
        } catch .unknownTopic where !inputs.isEmpty {
            return input(topic)
        } catch {
            return .unknown(error)
        }
    }

    /// What an entry of dispatch is that is kept on a topic; nil: it is another topic. To ask this of a vehicle's topic costs little.
    package func entryKind(_ topic: String) -> Registration.Kind? {
        switch gateway?.inbound(topic) {
        case .fence: .fence
        case .clearance: .clearance
        default: nil
        }
    }

    private func input(_ topic: String) -> InboundTopic {
        guard topic.utf8.count <= WireLimits.topicBytes else { return .unknown(.unknownTopic) }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        do throws(InputError) {
            for input in inputs {
                guard let match = try input.topic.match(levels, names: pattern.names), input.takesIn(match.rest) else {
                    continue
                }
                let device = input.layout == .ownTracks ? levels.dropLast(match.rest.count).joined(separator: "/") : nil
                return .input(InputMatch(input: input, levels: match, device: device))
            }
            return .unknown(.unknownTopic)
        } catch {
            return .unknown(error)
        }
    }
}

extension FleetInput {
    /// Whether what a topic has beyond the pattern is this input's.
    fileprivate func takesIn(_ rest: ArraySlice<Substring>) -> Bool {
        if rest.isEmpty || topic.isOpenEnded { return true }
        return layout == .ownTracks && rest.count == 1 && rest.contains { Self.ownTracksLeaves.contains(String($0)) }
    }
}
