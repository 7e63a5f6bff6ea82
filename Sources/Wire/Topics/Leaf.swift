/// The last level of a vehicle's topics: what a message there is about.
public enum Leaf: String, CaseIterable, Sendable {
    // From trucks and dispatch.
    case location, profile, route, consent, presence, ack
    // From the gateway.
    case alert, event, visit, state, regions, tracking, request
}
