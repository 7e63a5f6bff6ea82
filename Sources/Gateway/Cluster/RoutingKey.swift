/// How RabbitMQ's MQTT plugin writes topics as routing keys.
///
/// Version 3.10 writes `/` as `.` and leaves a `.` as it is, so that `fleet/T.42/location` and `fleet/T/42/location` are one
/// key, and MQTT subscribers are given the latter. So no level of the gateway's own topics may hold a `.`; a vehicle whose id does
/// comes in as one whose topic has a level too many, and is counted as such.
package enum RoutingKey {
    /// The binding that takes in what an MQTT filter does; `#` is the same in both.
    package static func binding(of filter: String) -> String {
        key(of: filter).replacing("+", with: "*")
    }

    package static func key(of topic: String) -> String { topic.replacing("/", with: ".") }

    package static func topic(of key: String) -> String { key.replacing(".", with: "/") }

    /// Whether a topic or a pattern comes back as it was.
    package static func canExpress(_ topic: String) -> Bool { !topic.contains { $0 == "." || $0 == "*" } }
}
