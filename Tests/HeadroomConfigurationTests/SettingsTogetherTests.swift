import Testing

@testable import Gateway
@testable import HeadroomConfiguration

/// What is said about settings each of which is good, and which do not go together.
struct SettingsTogetherTests {
    @Test(arguments: [
        (
            "layout: owntracks",
            "fleet.inputs[0].topic: expected a topic in which {v} stands at most once, and + and # only as whole levels, got nothing"
        ),
        (
            "layout: json, topic: a",
            "fleet.inputs[0].layout: expected headroom, owntracks, traccar or mapped, got \"json\""
        ),
        (
            "layout: owntracks, topic: a/b",
            "fleet.inputs[0].topic: expected the level {v} for the vehicle, as in owntracks/{user}/{v}, got a/b"
        ),
        (
            "layout: traccar, topic: a, vehicle: /b",
            "fleet.inputs[0].vehicle: expected the place where the layout has the vehicle's id, got {/b}; write {/device/uniqueId}"
        ),
        (
            "layout: traccar, topic: a, each: /b",
            "fleet.inputs[0].layout: expected mapped, where each or fields is given, got traccar"
        ),
        (
            "layout: mapped, topic: a, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a JSON Pointer, or {v} in the topic, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: /id, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected {v}, which stands in the topic, got {/id}; write {v} in it, or another name"
        ),
        (
            "layout: mapped, topic: \"a/{operator}/{v}\", vehicle: \"{operatr}-{v}\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected {operator} or {v}, got {operatr}; did you mean {operator}?"
        ),
        (
            "layout: owntracks, topic: \"a/{v}\", vehicle: \"{v}-{/tid}\"",
            "fleet.inputs[0].vehicle: expected the place where the layout has the vehicle's id, got {/tid}; write levels"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: \"x{v\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a closing brace, got \"{v\"; write a JSON Pointer such as /VP/veh, a template"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", vehicle: \"x#{v}\", fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected text of at most 64 characters without + # / and control characters, got \"x#\""
        ),
        (
            "layout: mapped, topic: a, vehicle: T42, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle: expected a level of the topic such as {v}, or a place in the payload such as {/VP/veh}, "
                + "got \"T42\"; write"
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {pointer: /a, part: 32}, lon: /b}",
            "fleet.inputs[0].fields.lat.part: expected a whole number from 0 to 31, got \"32\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 1, part: 0}, lon: /b}",
            "unknown key fleet.inputs[0].fields.lat.part; it may have value, unit"
        ),
        (
            "layout: mapped, topic: \"a/{v}\"",
            "fleet.inputs[0].fields: expected {lat: /pointer, lon: /pointer}, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a}",
            "fleet.inputs[0].fields.lon: expected a JSON Pointer, or {pointer: /VP/lon, unit: 1e-7 deg}, got nothing"
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: a, lon: /b}",
            "fleet.inputs[0].fields.lat: expected a JSON Pointer, such as /VP/lat, got \"a\""
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a, lon: /b, speed: {pointer: /c, unit: m}}",
            "fleet.inputs[0].fields.speed.unit: expected m/s, km/h, mph or kn, got \"m\""
        ),
        (
            "layout: mapped, topic: \"a/{v}\", fields: {lat: /a, lon: /b, sped: /c}",
            "unknown key fleet.inputs[0].fields.sped; did you mean fleet.inputs[0].fields.speed?"
        ),
        (
            "layout: owntracks, topic: \"a/{v}\", tpic: b",
            "unknown key fleet.inputs[0].tpic; did you mean fleet.inputs[0].topic"
        ),
        (
            "layout: owntracks, topic: \"a/{v}/#\"",
            "fleet.inputs[0].topic: expected a topic without /#, since this layout takes in what lies below, got a/{v}/#"
        ),
        (
            "layout: traccar, topic: \"a/#/b\"",
            "fleet.inputs[0].topic: expected a topic in which {v} stands at most once, and + and # only as whole levels, got \"a/#/b\""
        ),
        (
            "layout: mapped, topic: a, vehicle: {value: x/y}, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].vehicle.value: expected a vehicle's id: 1 to 64 characters without + # /, got \"x/y\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, each: b, fields: {lat: /a, lon: /b}",
            "fleet.inputs[0].each: expected a JSON Pointer, such as /VP/lat, got \"b\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: /a, lon: /b, accuracy: {value: -1, unit: m}}",
            "fleet.inputs[0].fields.accuracy: expected a value from 0, got -1"
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 9100000, unit: 1e-5 deg}, lon: /b}",
            "fleet.inputs[0].fields.lat.unit: expected deg, 1e-6 deg or 1e-7 deg, got \"1e-5 deg\""
        ),
        (
            "layout: mapped, topic: a, vehicle: /v, fields: {lat: {value: 91000000, unit: 1e-6 deg}, lon: /b}",
            "fleet.inputs[0].fields.lat: expected a value from -90 to 90, got 91000000"
        ),
    ])
    func anInputIsCompleteAndMakesSense(input: String, message: String) throws {
        let problems = try SettingsFolder().problems("fleet:\n  inputs:\n    - {\(input)}")
        #expect(problems.hasPrefix("headroom.yaml:3:"))
        #expect(problems.contains(": " + message))
        #expect(!problems.contains("\n"))
    }

    @Test(
        "A level that the topic names, and the id does not, would make one vehicle of two: a warning with its place",
        arguments: [
            ("layout: owntracks, topic: \"owntracks/{user}/{v}\"", "{user} is not part of the vehicle's id, {v}"),
            (
                "layout: mapped, topic: \"hfp/{operator}/{route}/{v}/#\", vehicle: \"{route}-{v}\", fields: {lat: /a, lon: /b}",
                "{operator} is not part of the vehicle's id, {route}-{v}"
            ),
            (
                "layout: mapped, topic: \"hfp/{operator}/#\", vehicle: /veh, fields: {lat: /a, lon: /b}",
                "{operator} is not part of the vehicle's id, {/veh}"
            ),
            (
                "layout: traccar, topic: \"traccar/{server}\"",
                "{server} is not part of the vehicle's id, {/device/uniqueId}"
            ),
            ("layout: owntracks, topic: \"o/{user}/{v}\", vehicle: \"{user}{v}\"", "{user}{v} has no text between"),
        ])
    func mergedVehicles(input: String, warning: String) throws {
        let loaded = try SettingsFolder().load("fleet:\n  inputs:\n    - {\(input)}")
        #expect(loaded.warnings.count == 1)
        let text = loaded.warnings.first?.asWarning ?? ""
        #expect(text.contains("headroom.yaml:3:") && text.contains(": warning: fleet.inputs[0]"), "\(text)")
        #expect(text.contains(warning), "\(text)")
    }

    @Test(
        "No warning where ids cannot merge, or are unique by the operator's word, or by contract",
        arguments: [
            "inputs: [{layout: owntracks, topic: \"owntracks/{user}/{v}\", vehicle: \"{user}-{v}\"}]",
            "inputs: [{layout: owntracks, topic: \"owntracks/+/{v}\"}]",
            "inputs: [{layout: owntracks, topic: \"owntracks/{user}/{v}\", vehicle: \"{v}\"}]",
            "inputs: [{layout: headroom, topic: \"depot/{v}/{kind}\"}]", "topic: \"acme/{region}/{v}\"",
        ])
    func uniqueVehicles(fleet: String) throws {
        #expect(try SettingsFolder().load("fleet: {\(fleet)}").warnings == [])
    }

    @Test(arguments: [
        (
            "broker: {username: u, password: a, password_file: b}",
            "headroom.yaml:1:33: the password is given twice; keep broker.password_file or broker.password"
        ),
        (
            "store: {url: \"postgresql://db/fleet\", password: a, password_file: b}",
            "headroom.yaml:1:49: the password is given twice; keep store.password_file or store.password"
        ),
        ("store: {password: a}", "headroom.yaml:1:19: there is a password but no database; write store.url"),
        (
            "cluster: {url: \"amqp://b\"}",
            """
            headroom.yaml:1:16: several gateways need one store, which a file cannot be; write store.url: postgresql://…
            """
        ),
        (
            "cluster: {url: \"amqps://b\"}\nstore: {url: \"postgresql://db/fleet\"}",
            """
            headroom.yaml:1:16: amqps://b:5671 is encrypted, and nobody is named who may vouch for it; write broker.ca_file
            """
        ),
        (
            "cluster: {url: \"amqp://b\"}\nstore: {url: \"postgresql://db/fleet\"}\nfleet: {topic: \"a.b/{v}\"}",
            """
            headroom.yaml:3:16: RabbitMQ cannot tell the . or * in a.b/{v} from a topic's / or wildcard; \
            write fleet.topic without them
            """
        ),
        (
            "cluster: {url: \"amqp://b\"}\nstore: {url: \"postgresql://db/fleet\"}\nengine: {shards: 3}",
            """
            headroom.yaml:3:18: in a cluster each queue is a shard, so that the fleet is not divided into 3 parts; \
            write cluster.queues, and leave engine.shards out
            """
        ),
        (
            """
            cluster: {url: "amqp://b"}
            store: {url: "postgresql://db/fleet"}
            fleet: {qos: 2}
            """,
            "headroom.yaml:3:14: RabbitMQ has no quality of service 2; write fleet.qos: 0 or 1"
        ),
        ("broker: {password: a}", "headroom.yaml:1:20: there is a password but no user; write broker.username"),
        (
            "broker:\n  ca_file: ca.pem",
            """
            headroom.yaml:2:12: certificates are given, but the connection to mqtt://127.0.0.1:1883 is not encrypted; \
            write broker.url: mqtts://…, or remove them
            """
        ),
        (
            "broker: {url: \"mqtts://b\", ca_file: ca.pem, key_file: key.pem}",
            """
            headroom.yaml:1:55: a certificate and its key need each other; \
            write both broker.cert_file and broker.key_file, or none
            """
        ),
        (
            "console: {tls: {key_file: key.pem}}",
            "headroom.yaml:1:16: console.tls.cert_file: expected the name of a file, got nothing"
        ),
        (
            "console: {listen: \"0.0.0.0:8080\"}",
            """
            headroom.yaml:1:19: the console asks for a token, as 0.0.0.0:8080 can be reached from elsewhere, but \
            nobody has one; write console.tokens_file, or console.listen: "127.0.0.1:8080"
            """
        ),
        (
            "console: {health: \"0.0.0.0:8081\"}",
            """
            headroom.yaml:1:19: 0.0.0.0:8081 can be reached from elsewhere; \
            write an address on loopback, such as 127.0.0.1:8081
            """
        ),
        (
            "console: {health: \"127.0.0.1:8080\"}",
            "headroom.yaml:1:19: 127.0.0.1:8080 is taken by console.listen, 127.0.0.1:8080; write another port"
        ),
        (
            "console: {auth: none, listen: \"0.0.0.0:8081\", health: \"localhost:8081\"}",
            "headroom.yaml:1:55: localhost:8081 is taken by console.listen, 0.0.0.0:8081; write another port"
        ),
        (
            "console: {auth: required}",
            """
            headroom.yaml:1:17: the console asks for a token, as console.auth is required, but nobody has one; \
            write console.tokens_file, or console.auth: remote
            """
        ),
        (
            "fleet: {topic: \"headroom/{v}\"}",
            """
            headroom.yaml:1:16: a vehicle's topics under headroom/{v} could be the gateway's own under headroom; \
            write a fleet.topic that begins with another level, or has another number of levels
            """
        ),
        (
            "fleet:\n  topic: acme/{region}/{site}/{v}\n  inputs:\n    - {layout: owntracks, topic: \"o/{site}/{v}\"}",
            """
            headroom.yaml:4:5: fleet.inputs[0], o/{site}/{v}, does not name {region}, which the topics of \
            acme/{region}/{site}/{v} need; write {region} for a level of it, or a fleet.topic without
            """
        ),
        (
            "fleet:\n  inputs: [{layout: headroom, topic: \"+/{v}/location\"}]",
            """
            headroom.yaml:2:11: fleet.inputs[0], +/{v}/location, takes in what can be the gateway's own, \
            fleet/+/location; write a topic that begins with another level, or has another number of levels
            """
        ),
        (
            "fleet:\n  inputs: [{layout: traccar, topic: \"headroom/#\"}]",
            """
            headroom.yaml:2:11: fleet.inputs[0], headroom/#, takes in what can be the gateway's own, headroom/#; \
            write a topic that begins with another level, or has another number of levels
            """
        ),
        (
            "fleet:\n  inputs:\n    - {layout: owntracks, topic: \"o/{u}/{v}\"}\n    - {layout: traccar, topic: \"o/+/+/cmd\"}",
            """
            headroom.yaml:3:5: fleet.inputs[1], o/+/+/cmd, takes in what can be another input's, o/+/+/cmd; \
            write a topic that begins with another level, or has another number of levels
            """
        ),
        (
            "fleet:\n  inputs:\n    - {layout: owntracks, topic: \"o/{u}/{v}\"}\n    - {layout: traccar, topic: \"o/positions\"}",
            ""
        ),
        ("console: {listen: \"0.0.0.0:8080\", auth: none}", ""),
        ("console: {listen: \"0.0.0.0:8080\", tokens_file: tokens}", ""),
        ("broker: {url: \"mqtts://b\", ca_file: a, cert_file: b, key_file: c, username: u, password_file: d}", ""),
    ])
    func settingsMakeSenseTogether(yaml: String, message: String) throws {
        #expect(try SettingsFolder().problems(yaml) == message)
    }
}
