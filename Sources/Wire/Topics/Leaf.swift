/// The last level of a vehicle's topics: what a message there is about.
public enum Leaf: String, CaseIterable, Sendable {
    // From trucks and dispatch.
    case location, profile, route, consent, presence, ack
    // From the gateway.
    case alert, event, visit, state, regions, tracking, request

    /// What the gateway has retained about a vehicle, and takes back when its consent ends.
    public static let withdrawnWithConsent: [Leaf] = [.state, .regions, .tracking]

    /// What is taken back of a vehicle that is to be forgotten, whoever published it. What it said about consent is not:
    /// that is the driver's own word.
    public static let withdrawnByForgetting = withdrawnWithConsent + [.profile, .route, .presence]
}
