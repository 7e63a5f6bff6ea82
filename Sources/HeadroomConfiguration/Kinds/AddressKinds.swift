import Broker
import Console
import MQTT
import Store

// Addresses and topics.

extension SettingKind where Value == BrokerAddress {
    static var brokerAddress: Self { address(.mqtt) }
    static var rabbitMQAddress: Self { address(.amqp) }

    private static func address(_ language: BrokerAddress.Language) -> Self {
        let expected = language.expected
        return Self(expected: expected) { node throws(SettingsError) in
            guard case .text(let text) = node.shape else { throw node.refused(expected) }
            // What stands before an @ is not repeated: it may be a password.
            guard !text.contains("@") else {
                let expected = "\(expected) (user and password in broker.username and broker.password_file)"
                throw SettingsError([node.problem(expected: expected, got: "an address with an @")])
            }
            guard let address = BrokerAddress(text, language) else { throw node.refused(expected) }
            return address
        }
    }
}

extension SettingKind where Value == PostgreSQLAddress {
    static var databaseAddress: Self {
        let expected = "postgresql://user@host:port/database"
        return Self(expected: expected) { node throws(SettingsError) in
            guard case .text(let text) = node.shape else { throw node.refused(expected) }
            guard let address = PostgreSQLAddress(text) else { throw node.refused(expected) }
            // A password is not repeated.
            guard "\(address)" == text else {
                let expected = "\(expected) (the password in store.password_file)"
                throw SettingsError([node.problem(expected: expected, got: "an address with a password")])
            }
            return address
        }
    }
}

extension SettingKind where Value == NetworkAddress {
    static var listenAddress: Self {
        Self("host:port, such as 127.0.0.1:8080 or [::1]:8080") { text, _ in NetworkAddress(text) }
    }
}

extension SettingKind where Value == QoS {
    static var qos: Self {
        Self("a whole number from 0 to 2") { text, _ in UInt8(text).flatMap(QoS.init(rawValue:)) }
    }
}

extension SettingKind where Value == String {
    /// As requests name the console; any port goes with it.
    static var hostName: Self {
        Self("a host name or an IP address without scheme, port and brackets, such as trucks.example") { text, _ in
            NetworkAddress.isHost(text) ? text : nil
        }
    }

    static var fleetTopic: Self {
        Self("a topic that holds the level {v} once, such as fleet/{v}, no + or # and no empty level") { text, _ in
            TopicRules.isFleetTopic(text) ? text : nil
        }
    }

    static var webAddress: Self {
        Self("an address such as https://tiles.example/{z}/{x}/{y}.png, with nothing to fill in before the path") {
            text, _ in
            WebAddress.origin(of: text) == nil ? nil : text
        }
    }

    static var topicPrefix: Self {
        Self("a topic such as headroom, without + # { } and empty levels") { text, _ in
            TopicRules.isPrefix(text) ? text : nil
        }
    }

    static var topicLevel: Self {
        Self("a name without / + # { }") { text, _ in TopicRules.isLevel(text) ? text : nil }
    }
}
