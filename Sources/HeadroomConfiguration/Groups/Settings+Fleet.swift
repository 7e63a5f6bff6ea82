import Fleet

extension Settings {
    mutating func readFleet(_ read: inout SettingsReader) {
        read.section("fleet", "The vehicles' topics.")
        read(
            "fleet.topic", .fleetTopic, into: &fleet.topic, default: "fleet/{v}",
            """
            Where vehicles publish and are answered: {v} is the vehicle, other levels may be named, as in \
            acme/{region}/{v}. /location, /profile, /alert and the others follow it.
            """)
        read(
            "fleet.qos", .qos, into: &fleet.qos, default: "1",
            "Quality of service, 0 to 2, of all topics; in a cluster 0 or 1.")
        read(
            "fleet.units", .oneOf, into: &engine.units, default: "imperial",
            "What people read, imperial or metric, where a vehicle's profile does not say.")
        read(
            "fleet.language", .oneOf, into: &engine.language, default: "en",
            "Of texts for drivers, en, de, es or fr, where a vehicle's profile does not say.")
        read(
            "fleet.inputs",
            .list(of: .fleetInput, example: "[{layout: owntracks, topic: \"owntracks/{user}/{v}\"}]"),
            into: &fleet.inputs,
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
        readHeadroom(&read)
    }

    private mutating func readHeadroom(_ read: inout SettingsReader) {
        read.section("headroom", "The gateway's own topics.")
        read(
            "headroom.topic", .topicPrefix, into: &topicPrefix, default: "headroom",
            "What the topics of fences, clearances and the status begin with, so that tenants can share a broker.")
    }

    /// No message may be both a vehicle's and the gateway's.
    func requireTopicsApart(_ read: inout SettingsReader) {
        let own = ["fences", "clearances", "status", "probe"].map { "\(topicPrefix)/\($0)" }
        read.require(
            !own.contains { TopicRules.matches(fleet.topic, $0) }, of: "fleet.topic", and: "headroom.topic",
            wrong: "a vehicle's topics under \(fleet.topic) could be the gateway's own under \(topicPrefix)",
            right: "write a fleet.topic that begins with another level, or has another number of levels")
    }
}
