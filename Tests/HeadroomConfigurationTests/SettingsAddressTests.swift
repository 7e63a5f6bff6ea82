import Testing

@testable import HeadroomConfiguration

/// What is said about addresses and topics that cannot be used.
struct SettingsAddressTests {
    @Test(arguments: [
        (
            "mqtt://joe:hunter2@broker",
            "(user and password in broker.username and broker.password_file), got an address with an @"
        ),
        ("tcp://broker:1883", nil),
        ("broker:1883", nil), ("mqtt://", nil), ("mqtt://broker:0", nil), ("mqtt://broker:65536", nil),
        ("mqtt://broker:+1", nil), ("mqtt://broker/path", nil), ("mqtt://::1", nil), ("mqtt://a b", nil),
    ])
    func aBrokerIsAnMQTTAddress(url: String, rest: String?) throws {
        let problems = try SettingsFolder().problems("broker: {url: \"\(url)\"}")
        let expected = "broker.url: expected mqtt://host:port, or mqtts://host:port for TLS"
        #expect(problems.contains(expected + (rest.map { " \($0)" } ?? ", got \"\(url)\"")))
        #expect(!problems.contains("hunter2"))
    }

    @Test(arguments: ["mqtt://rabbit", "amqp://", "amqp://rabbit/vhost", "amqp://rabbit:0"])
    func rabbitMQIsAnAMQPAddress(url: String) throws {
        let problems = try SettingsFolder().problems("cluster: {url: \"\(url)\"}")
        #expect(
            problems.contains(
                "cluster.url: expected amqp://host:port, or amqps://host:port for TLS, got \"\(url)\""))
    }

    @Test(arguments: [
        (
            "postgresql://joe:hunter2@db/fleet",
            "(the password in store.password_file), got an address with a password"
        ),
        (
            "postgresql://joe@db/fleet?password=hunter2",
            "(the password in store.password_file), got an address with a password"
        ),
        ("mysql://joe@db/fleet", nil), ("db/fleet", nil),
    ])
    func aDatabaseIsAPostgreSQLAddressWithoutAPassword(url: String, rest: String?) throws {
        let problems = try SettingsFolder().problems("store: {url: \"\(url)\"}")
        let expected = "store.url: expected postgresql://user@host:port/database"
        #expect(problems.contains(expected + (rest.map { " \($0)" } ?? ", got \"\(url)\"")))
        #expect(!problems.contains("hunter2"))
    }

    @Test(arguments: [
        "fleet", "fleet/{v}/{v}", "fleet/+", "fleet/{v}/#", "{v}x", "fleet/{v}/", "/fleet/{v}", "fleet//{v}",
        "$share/{v}",
        "fleet/{a}/{a}/{v}", "fleet/{V}", "fleet/{}", "",
    ])
    func theFleetsTopicHoldsTheVehicleOnce(topic: String) throws {
        let problems = try SettingsFolder().problems("fleet: {topic: \"\(topic)\"}")
        #expect(problems.hasPrefix("headroom.yaml:1:16: fleet.topic: expected a topic that holds the level {v} once"))
    }

    @Test(arguments: ["acme/{region}/{v}", "{v}", "fleet/{v}/gps", "flotte/grün/{v}"])
    func otherLevelsOfTheFleetsTopicMayBeNamed(topic: String) throws {
        #expect(try SettingsFolder().problems("fleet: {topic: \"\(topic)\"}") == "")
    }

    @Test(arguments: ["8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "::1:8080", "http://a:1", "a:-1"])
    func theConsoleListensOnAHostAndAPort(address: String) throws {
        let problems = try SettingsFolder().problems("console: {listen: \"\(address)\"}")
        #expect(
            problems.contains(
                "console.listen: expected host:port, such as 127.0.0.1:8080 or [::1]:8080, got \"\(address)\""))
    }
}
