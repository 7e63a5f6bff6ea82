/// A name and value that a consumer can filter by without parsing the payload (MQTT 5 §3.3.2.3.7).
public struct UserProperty: Hashable, Sendable, Codable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
