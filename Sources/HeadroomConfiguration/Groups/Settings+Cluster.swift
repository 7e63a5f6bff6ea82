package import Broker
import Console
import Gateway
import MQTT
package import RabbitMQ

extension Settings {
    mutating func readCluster(_ read: inout SettingsReader) {
        read.section(
            "cluster", "Several gateways for one fleet, over RabbitMQ and PostgreSQL. Alike in all of them.")
        read(
            "cluster.url", .optional(.rabbitMQAddress), into: &cluster.address, default: "",
            "The RabbitMQ whose MQTT plugin broker.url names: amqp://host:port, or amqps://host:port for TLS; without a port "
                + "5672, or 5671 with TLS. User, password and certificates are those of broker; without a user: guest. Empty: "
                + "one gateway, over MQTT alone.")
        read(
            "cluster.virtual_host", .text, into: &cluster.virtualHost, default: "/",
            "RabbitMQ's virtual host; that of the MQTT plugin.")
        read(
            "cluster.queues", .integer(1...1_024), into: &cluster.queues, default: "8",
            "How many queues the vehicles are distributed over. Each has one gateway at a time as its owner; the number can "
                + "only be changed while no gateway runs and the queues are empty.")
        read(
            "cluster.prefetch", .integer(1...65_535), into: &cluster.prefetch, default: "1000",
            "How many messages of each queue RabbitMQ sends to the gateway, at most, before the gateway has committed and "
                + "acknowledged the first of them.")
    }

    func requireClusterSense(_ read: inout SettingsReader) {
        guard let address = cluster.address else { return }
        read.require(
            storeURL != nil, of: "cluster.url", and: "store.url",
            wrong: "several gateways need one store, which a file cannot be", right: "write store.url: postgresql://…")
        read.require(
            !address.usesTLS || broker.tls.caFile != nil, of: "cluster.url", and: "broker.ca_file",
            wrong: "\(address) is encrypted, and nobody is named who may vouch for it", right: "write broker.ca_file")
        read.require(
            shards == 1, of: "engine.shards", and: "cluster.url",
            wrong: "in a cluster each queue is a shard, so that the fleet is not divided into \(shards) parts",
            right: "write cluster.queues, and leave engine.shards out")
        read.require(
            fleet.qos != .exactlyOnce, of: "fleet.qos", and: "cluster.url",
            wrong: "RabbitMQ has no quality of service 2", right: "write fleet.qos: 0 or 1")
        requireKeys(&read)
    }

    /// RabbitMQ writes a topic's `/` as `.`, and has no other sign for a `.` of the topic itself.
    private func requireKeys(_ read: inout SettingsReader) {
        let topics = [
            ("fleet.topic", fleet.topic), ("headroom.topic", topicPrefix), ("broker.client_id", broker.clientID),
        ]
        for (name, topic) in topics {
            read.require(
                RoutingKey.canExpress(topic), of: name, and: "cluster.url",
                wrong: "RabbitMQ cannot tell the . or * in \(topic) from a topic's / or wildcard",
                right: "write \(name) without them")
        }
    }

    /// How to connect to RabbitMQ; nil: there is no cluster.
    package var rabbitMQ: RabbitMQSettings? {
        guard let address = cluster.address else { return nil }
        var settings = RabbitMQSettings(
            host: address.address.host, port: address.address.port, user: broker.username ?? "guest")
        settings.virtualHost = cluster.virtualHost
        if address.usesTLS {
            settings.tls = .init(
                caFile: broker.tls.caFile ?? "", certFile: broker.tls.certFile, keyFile: broker.tls.keyFile)
        }
        return settings
    }

    /// How the gateway shares the fleet with others; nil: with none.
    var clusterSettings: ClusterSettings? {
        rabbitMQ.map { [password = rabbitMQPassword.text] server in
            ClusterSettings(queues: cluster.queues, prefetch: cluster.prefetch) {
                try RabbitMQConnection(server, password: password)
            }
        }
    }

    /// The password to that, RabbitMQ's own one for the user guest.
    package var rabbitMQPassword: Secret { broker.password ?? Secret(broker.username == nil ? "guest" : "") }
}
