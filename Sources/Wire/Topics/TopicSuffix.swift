/// The last level of a vehicle's topics: what a message there is about.
package enum TopicSuffix: String, CaseIterable, Sendable {
    // From trucks and dispatch.
    case location, profile, route, consent, presence, ack
    // From the gateway.
    case alert, event, visit, state, regions, tracking, handling, request

    /// What the gateway has retained about a vehicle, and takes back when its consent ends.
    package static let withdrawnWithConsent: [TopicSuffix] = [.state, .regions, .tracking]

    /// All that the gateway has retained about a vehicle.
    package static let retainedOutputs = withdrawnWithConsent + [.handling]

    /// What is retained about a vehicle by itself or by dispatch, and kept here as it came; in the order in which to ask
    /// for it: what decides whether the rest may be used comes first.
    package static let retainedInputs: [TopicSuffix] = [.consent, .profile, .route, .presence]

    /// What is taken back of a vehicle that is to be forgotten, whoever published it. What it said about consent is not:
    /// that is the driver's own word.
    package static let withdrawnByForgetting = retainedOutputs + [.profile, .route, .presence]
}
