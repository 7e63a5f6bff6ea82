import Testing

@testable import Gateway
@testable import HeadroomConfiguration

/// What is said about bad settings, to the letter.
struct SettingsProblemsTests {
    @Test(arguments: [
        // Names.
        (
            "alerts:\n  distanze: 1 mi",
            "headroom.yaml:2:3: unknown key alerts.distanze; did you mean alerts.distance?"
        ),
        ("alert:\n  distance: 1 mi", "headroom.yaml:1:1: unknown key alert; did you mean alerts?"),
        (
            "alerts.distance: 1 mi",
            "headroom.yaml:1:1: unknown key alerts.distance; write distance indented under alerts"
        ),
        (
            "heights: {max_accuracy: 5}",
            "headroom.yaml:1:11: unknown key heights.max_accuracy; did you mean fixes.max_accuracy?"
        ),
        (
            "\nvisits:\n  colour: red",
            "headroom.yaml:3:3: unknown key visits.colour; visits holds duration, radius"
        ),
        (
            "language: en",
            """
            headroom.yaml:1:1: unknown key language; the file holds broker, fleet, headroom, roads, clearances, \
            fences, store, heights, detours, alerts, fixes, visits, regions, tracking, consent, privacy, console, log
            """
        ),
        ("<<: {a: b}", "headroom.yaml:1:1: unknown key <<"),
        ("[a, b]: c", "headroom.yaml:1:1: unknown key [a, b]"),
        // Types.
        (
            "visits: 5 min",
            "headroom.yaml:1:9: visits cannot be \"5 min\"; write duration, radius indented under it"
        ),
        (
            "roads: region.roads",
            "headroom.yaml:1:8: roads cannot be \"region.roads\"; write a list, such as [region.roads]"
        ),
        (
            "fences: fences.geojson",
            "headroom.yaml:1:9: fences cannot be \"fences.geojson\"; write a list, such as [fences.geojson]"
        ),
        (
            "fences: {file: [a]}",
            "headroom.yaml:1:10: unknown key fences.file; did you mean fences.files?"
        ),
        (
            "fences: {files: a}",
            "headroom.yaml:1:17: fences.files cannot be \"a\"; write a list, such as [fences.geojson]"
        ),
        (
            "fences: {determined: outside}",
            "headroom.yaml:1:22: fences.determined cannot be \"outside\"; write inside or all"
        ),
        ("roads: [[a]]", "headroom.yaml:1:9: roads[0] cannot be a list; write the name of a file"),
        ("roads: [a, ]\nfences: [a, ~]", "headroom.yaml:2:13: fences[1] has no value; write the name of a file"),
        (
            "alerts: {notice: [1, 2]}",
            """
            headroom.yaml:1:18: alerts.notice cannot be a list; write a duration from 0 s to 600 s, such as 30 s, \
            5 min or 24 h
            """
        ),
        ("log: {level: {a: b}}", "headroom.yaml:1:14: log.level cannot have keys of its own; write trace, debug, info"),
        (
            "alerts: {service_roads: yes}",
            "headroom.yaml:1:25: alerts.service_roads cannot be \"yes\"; write true or false"
        ),
        ("alerts: {unknown: }", "headroom.yaml:1:19: alerts.unknown has no value; write none, below_default or all"),
        ("fleet: {qos: one}", "headroom.yaml:1:14: fleet.qos cannot be \"one\"; write a whole number from 0 to 2"),
        // Units and ranges.
        (
            "fixes:\n  max_age: 24 km",
            """
            headroom.yaml:2:12: fixes.max_age cannot be "24 km"; write a duration from 60 s to 31536000 s, such as \
            30 s, 5 min or 24 h
            """
        ),
        (
            "alerts: {distance: 1 h}",
            """
            headroom.yaml:1:20: alerts.distance cannot be "1 h"; write a length from 0 m to 100000 m, such as 1.5 m, \
            3 in or 1 mi
            """
        ),
        (
            "heights: {margin: -3 in}",
            """
            headroom.yaml:1:19: heights.margin cannot be "-3 in"; write a length from 0 m to 1 m, such as 1.5 m, \
            3 in or 1 mi
            """
        ),
        (
            "heights: {assumed: 6.01}",
            """
            headroom.yaml:1:20: heights.assumed cannot be "6.01"; write a height from 0.1 m to 6 m, such as 4.11 m \
            or 13'6"
            """
        ),
        (
            "alerts: {min_probability: 30%}",
            "headroom.yaml:1:27: alerts.min_probability cannot be \"30%\"; write a number from 0 to 1"
        ),
        (
            "alerts: {min_probability: nan}",
            "headroom.yaml:1:27: alerts.min_probability cannot be \"nan\"; write a number from 0 to 1"
        ),
        ("fleet: {qos: 3}", "headroom.yaml:1:14: fleet.qos cannot be \"3\"; write a whole number from 0 to 2"),
        (
            "detours: {through: Strict}",
            "headroom.yaml:1:20: detours.through cannot be \"Strict\"; write strict, all or noservice"
        ),
        ("broker: {protocol: 4}", "headroom.yaml:1:20: broker.protocol cannot be \"4\"; write 5 or 3.1.1"),
    ])
    func aBadSettingIsRefusedWhereItStands(yaml: String, message: String) throws {
        let problems = try SettingsFolder().problems(yaml)
        #expect(problems.hasPrefix(message))
        #expect(!problems.contains("\n"))
    }

    @Test(arguments: [
        ("a: 1\nbroker: {\n", "headroom.yaml:3:1: this is not YAML: did not find expected node content"),
        ("alerts:\n\tnotice: 5", "headroom.yaml:2:1: this is not YAML: found character that cannot start any token"),
        (
            "log:\n  level: \"info\n",
            """
            headroom.yaml:3:1: this is not YAML: found unexpected end of stream while scanning a quoted scalar begun \
            in line 2; look for a missing quote, bracket or colon, a tab or a wrong indentation
            """
        ),
        ("log: {level: info}\n# \u{1}", "headroom.yaml:2:3: this is not YAML: control characters are not allowed"),
        ("log: {level: *nowhere}", "headroom.yaml:1:14: this is not YAML: found undefined alias"),
        ("log: {level: info}\n---\n", "headroom.yaml:2:1: a second YAML document begins; keep one document"),
        ("- a", "headroom.yaml:1:1: the file holds no keys"),
        (
            "alerts:\n  notice: 5\n  notice: 6",
            "headroom.yaml:2:3: notice is written again further down in the same place; keep one of them"
        ),
        ("log:\nlog:", "headroom.yaml:1:1: log is written again further down in the same place; keep one of them"),
    ])
    func malformedYAMLIsReportedWithItsLine(yaml: String, message: String) throws {
        #expect(try SettingsFolder().problems(yaml).hasPrefix(message))
    }

    @Test(arguments: [
        ("mqtt://joe:hunter2@broker", "broker.url holds a user or a password"), ("tcp://broker:1883", nil),
        ("broker:1883", nil), ("mqtt://", nil), ("mqtt://broker:0", nil), ("mqtt://broker:65536", nil),
        ("mqtt://broker:+1", nil), ("mqtt://broker/path", nil), ("mqtt://::1", nil), ("mqtt://a b", nil),
    ])
    func aBrokerIsAnMQTTAddress(url: String, wrong: String?) throws {
        let problems = try SettingsFolder().problems("broker: {url: \"\(url)\"}")
        #expect(problems.contains(wrong ?? "broker.url cannot be \"\(url)\"; write mqtt://host:port, or mqtts://"))
        #expect(!problems.contains("hunter2"))
    }

    @Test(arguments: [
        "fleet", "fleet/{v}/{v}", "fleet/+", "fleet/{v}/#", "{v}x", "fleet/{v}/", "/fleet/{v}", "fleet//{v}",
        "$share/{v}",
        "fleet/{a}/{a}/{v}", "fleet/{V}", "fleet/{}", "",
    ])
    func theFleetsTopicHoldsTheVehicleOnce(topic: String) throws {
        let problems = try SettingsFolder().problems("fleet: {topic: \"\(topic)\"}")
        #expect(problems.hasPrefix("headroom.yaml:1:16: fleet.topic "))
    }

    @Test(arguments: ["acme/{region}/{v}", "{v}", "fleet/{v}/gps", "flotte/grün/{v}"])
    func otherLevelsOfTheFleetsTopicMayBeNamed(topic: String) throws {
        #expect(try SettingsFolder().problems("fleet: {topic: \"\(topic)\"}") == "")
    }

    @Test(arguments: ["8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "::1:8080", "http://a:1", "a:-1"])
    func theConsoleListensOnAHostAndAPort(address: String) throws {
        let problems = try SettingsFolder().problems("console: {listen: \"\(address)\"}")
        #expect(problems.contains("console.listen cannot be \"\(address)\"; write host:port, such as 127.0.0.1:8080"))
    }

    @Test(arguments: [
        (
            ["HEADROOM_ALERTS_DISTANSE": "1"],
            "HEADROOM_ALERTS_DISTANSE: unknown variable; did you mean HEADROOM_ALERTS_DISTANCE?"
        ),
        (
            ["HEADROOM_COLOUR": "red"],
            "HEADROOM_COLOUR: unknown variable; a variable is named after a key, such as HEADROOM_BROKER_URL"
        ),
        (["HEADROOM_PORT": "8080"], "HEADROOM_PORT: unknown variable; a variable is named after a key"),
        (
            ["HEADROOM_FLEET_QOS": "3"],
            "HEADROOM_FLEET_QOS: fleet.qos cannot be \"3\"; write a whole number from 0 to 2"
        ),
        (["HEADROOM_LOG_LEVEL": ""], "HEADROOM_LOG_LEVEL: log.level has no value; write trace, debug, info"),
        (["HEADROOM_ROADS": "a,,b"], "HEADROOM_ROADS: roads[1] has no value; write the name of a file"),
        (["HEADROOM_FLEET_INPUTS": "[{"], "HEADROOM_FLEET_INPUTS: this is not YAML: "),
        (["HEADROOM_FLEET_INPUTS": "[{layout: traccar}]"], "HEADROOM_FLEET_INPUTS: fleet.inputs[0] has no topic;"),
    ])
    func aBadVariableIsRefusedByName(environment: [String: String], message: String) throws {
        #expect(try SettingsFolder().problems("", environment: environment).hasPrefix(message))
    }

    @Test func allProblemsAreReportedInTheOrderOfTheFile() throws {
        let problems = try SettingsFolder().problems(
            """
            log: {level: loud}
            alerts:
              distance: far
              colour: red
              notice: -1
            roads: [a, [b]]
            """, environment: ["HEADROOM_X": "", "HEADROOM_FLEET_QOS": "9", "HEADROOM_ALERTS_DISTANCE": "1 mi"])
        let places = problems.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            places == [
                "headroom.yaml:1:14:", "headroom.yaml:3:13:", "headroom.yaml:4:3:", "headroom.yaml:5:11:",
                "headroom.yaml:6:12:", "HEADROOM_FLEET_QOS:", "HEADROOM_X:",
            ])
    }

    @Test func whatWasRefusedCausesNoFurtherProblem() throws {
        let problems = try SettingsFolder().problems("broker: {url: \"mqtt:/x\", ca_file: ca.pem}")
        #expect(problems.hasPrefix("headroom.yaml:1:15: broker.url cannot be \"mqtt:/x\"; write mqtt://host:port"))
        #expect(!problems.contains("\n"))
    }
}
