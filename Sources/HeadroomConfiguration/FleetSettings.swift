public import Wire

extension Settings {
    /// The vehicles' topics.
    public struct Fleet: Hashable, Sendable {
        /// The units in which people read, where a vehicle's profile does not say.
        public enum Units: String, CaseIterable, Sendable {
            case metric, imperial
        }

        /// A pattern that holds the level `{v}` once; other levels may be `{named}`.
        public var topic: String
        /// `0 ... 2`.
        public var qos: Int
        public var units: Units
        public var inputs: [FleetInput]

        init(_ read: inout SettingsReader) {
            read.section("fleet", "The vehicles' topics.")
            topic = read(
                "fleet.topic", .fleetTopic, default: "fleet/{v}",
                """
                Where vehicles publish and are answered: {v} is the vehicle, other levels may be named, as in \
                acme/{region}/{v}. /location, /profile, /alert and the others follow it.
                """)
            qos = read("fleet.qos", .integer(0...2), default: "1", "Quality of service, 0 to 2, of all topics.")
            units = read(
                "fleet.units", .oneOf, default: "imperial",
                "What people read, imperial or metric, where a vehicle's profile does not say.")
            inputs = read(
                "fleet.inputs",
                .list(of: .fleetInput, example: "[{layout: owntracks, topic: \"owntracks/{user}/{v}\"}]"),
                default: "",
                """
                Further topics with payloads of other layouts, such as
                - {layout: owntracks, topic: "owntracks/{user}/{v}", vehicle: "{user}-{v}"}
                - {layout: traccar, topic: traccar/positions}
                - layout: mapped
                  topic: "/hfp/v2/journey/ongoing/vp/bus/{operator}/{v}/#"
                  vehicle: "{operator}-{v}"
                  fields: {lat: /VP/lat, lon: /VP/long, time: /VP/tst, speed: {pointer: /VP/spd, unit: m/s}}
                mapped reads any JSON: a JSON Pointer for each of lat, lon, time, accuracy, speed, course and \
                altitude, or {value: 5, unit: m} for what is always the same, or {pointer: /latlng, part: 0} for a \
                part of a text such as "54.6,25.2"; and each: /pointer where the payload holds an array of fixes. \
                vehicle says how the id is put together, of levels of the topic and places in the payload: \
                "{operator}-{/VP/veh}", or /VP/veh alone, or {value: T42}; without it the id is {v}. headroom is the \
                layout of the fleet's own topics. In the environment: the same as YAML.
                """)
        }
    }

    /// The gateway's own topics.
    public struct Headroom: Hashable, Sendable {
        /// What they begin with, without a slash at its end.
        public var topic: String

        init(_ read: inout SettingsReader) {
            read.section("headroom", "The gateway's own topics.")
            topic = read(
                "headroom.topic", .topicPrefix, default: "headroom",
                "What the topics of fences, clearances and the status begin with, so that tenants can share a broker.")
        }

        /// No message may be both a vehicle's and the gateway's.
        func requireApart(from fleet: Fleet, _ read: inout SettingsReader) {
            let own = ["fences", "clearances", "status", "probe"].map { "\(topic)/\($0)" }
            read.require(
                !own.contains { TopicRules.matches(fleet.topic, $0) }, of: "fleet.topic", and: "headroom.topic",
                wrong: "a vehicle's topics under \(fleet.topic) could be the gateway's own under \(topic)",
                right: "write a fleet.topic that begins with another level, or has another number of levels")
            fleet.requireInputsApart(from: topic, &read)
        }
    }
}
