/// A subscription beside the fleet's own topics, whose payloads have a layout of their own.
public struct FleetInput: Hashable, Sendable {
    public var topic: InputTopic
    public var layout: InputLayout

    public init(topic: InputTopic, layout: InputLayout) {
        self.topic = topic
        self.layout = layout
    }

    /// What the apps add to their topic, by what they publish there.
    static let ownTracksLeaves: Set<String> = [
        "event", "waypoint", "waypoints", "status", "info", "step", "beacon", "dump", "request",
    ]
    /// Where the apps listen.
    static let ownTracksCommandLeaf = "cmd"

    /// What to subscribe to.
    public var filters: [String] {
        guard layout == .ownTracks else { return [topic.filter] }
        return [topic.filter] + Self.ownTracksLeaves.sorted().map { "\(topic.filter)/\($0)" }
    }

    /// Whether a gateway publishes there: commands to the devices.
    public func isOutput(_ topic: String) -> Bool {
        guard layout == .ownTracks else { return false }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return (try? self.topic.match(levels, names: []))?.rest.elementsEqual([Self.ownTracksCommandLeaf[...]]) ?? false
    }

    /// The filters, and where it publishes: no other may take that in.
    public var claims: [String] {
        layout == .ownTracks ? filters + ["\(topic.filter)/\(Self.ownTracksCommandLeaf)"] : filters
    }
}
