import Fleet
import Gateway
import Hummingbird
import Messages
import Wire

/// Where inputs of vehicles are published.
struct VehicleTopics {
    let view: LiveView
    let pattern: TopicPattern

    /// Of a vehicle that was never heard of, only where its id alone says the topic.
    ///
    /// - Throws: 404 where it does not.
    func topic(of input: TopicSuffix, _ vehicle: VehicleID) async throws(HTTPError) -> String {
        let unheard = VehicleAddress(vehicle: vehicle)
        let address = await view.snapshot().vehicles[vehicle]?.snapshot.address ?? unheard
        guard let topic = pattern.topic(for: address, input) ?? pattern.topic(for: unheard, input) else {
            let message = "Nothing was heard from this vehicle yet under \(pattern), so its other levels are not known."
            throw HTTPError(.notFound, message: message)
        }
        return topic
    }

    /// - Throws: 422 where the text is no vehicle's id.
    static func vehicle(_ text: String) throws(HTTPError) -> VehicleID {
        guard let vehicle = VehicleID(text) else {
            throw .unprocessable(
                "Expected a vehicle id of 1 to 64 characters without / + #, got \"\(text.prefix(64))\".")
        }
        return vehicle
    }
}
