import Testing

@testable import HeadroomConfiguration

/// What is said about settings each of which is good, and which do not go together.
struct SettingsTogetherTests {
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
