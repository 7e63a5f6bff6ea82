/// A name and value that a consumer can filter by without parsing the payload (MQTT 5 §3.3.2.3.7).
package struct UserProperty: Hashable, Sendable, Codable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
