package import MQTT

extension Publication {
    /// MIME type of everything that is published here.
    package static let jsonContentType = "application/json"

    /// A message of the gateway's own.
    ///
    /// - Parameters:
    ///   - json: one JSON object.
    ///   - userProperties: what consumers can filter by.
    init(
        topic: String, json: [UInt8], retain: Bool = false, expirySeconds: UInt32? = nil, userProperties: [UserProperty]
    ) {
        self.init(
            topic: topic, payload: json, retain: retain, expirySeconds: expirySeconds,
            contentType: Self.jsonContentType, userProperties: userProperties)
    }

    /// Removes what is retained on a topic.
    package static func withdrawal(_ topic: String) -> Publication {
        Publication(topic: topic, json: [], retain: true, userProperties: [])
    }
}
