import MQTT

extension Publication {
    /// No encoding of it as a PUBLISH packet is longer: MQTT 5 §3.3, each length field at its widest.
    var packetBytesMax: Int {
        let fixed = 16 + topic.utf8.count + payload.count
        let named = userProperties.reduce(0) { $0 + 5 + $1.name.utf8.count + $1.value.utf8.count }
        return fixed + named + 5 + 3 + (contentType?.utf8.count ?? 0)
    }
}
