import CMosquitto
package import MQTT

/// A topic filter and how reliably its messages shall come.
package struct Subscription: Hashable, Sendable {
    package let filter: String
    /// At most 1. libmosquitto confirms a message of QoS 2 to the broker before it hands it over, so that a crash would
    /// lose it; at least once and derived ids give the same result without that gap.
    package let qos: QoS

    /// `exactlyOnce` is asked for as `atLeastOnce`.
    ///
    /// - Throws: `BrokerError.Code.invalidArgument` where `filter` is no topic filter.
    package init(_ filter: String, _ qos: QoS = .atLeastOnce) throws(BrokerError) {
        guard !filter.isEmpty, mosquitto_sub_topic_check(filter) == MOSQ_ERR_SUCCESS.rawValue,
            filter.utf8.count <= Limits.stringBytes,
            mosquitto_validate_utf8(filter, CInt(filter.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue
        else { throw BrokerError(.invalidArgument, "Expected a topic filter, got \"\(filter.prefix(80))\"") }
        self.filter = filter
        self.qos = qos == .atMostOnce ? .atMostOnce : .atLeastOnce
    }
}
