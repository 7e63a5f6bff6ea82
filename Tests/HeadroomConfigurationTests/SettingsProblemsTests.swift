import Testing

@testable import Gateway
@testable import HeadroomConfiguration

/// What is said about bad settings, to the letter.
struct SettingsProblemsTests {
    @Test("Keys within keys take no time that doubles with each level", .timeLimit(.minutes(1)))
    func keysWithinKeys() throws {
        let problems = try SettingsFolder().problems(String(repeating: "? ", count: 60) + "a")
        #expect(problems.contains("{{{"))
    }

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
            "colour: red",
            """
            headroom.yaml:1:1: unknown key colour; the file holds broker, cluster, fleet, headroom, roads, clearances, \
            fences, store, engine, heights, detours, alerts, fixes, visits, regions, tracking, consent, privacy, console, \
            cab, hooks, log
            """
        ),
        ("<<: {a: b}", "headroom.yaml:1:1: unknown key <<"),
        ("[a, b]: c", "headroom.yaml:1:1: unknown key [a, b]"),
        // Types.
        (
            "visits: 5 min",
            "headroom.yaml:1:9: visits: expected keys indented under it: duration, radius, got \"5 min\""
        ),
        (
            "roads: region.roads",
            "headroom.yaml:1:8: roads: expected a list, such as [region.roads], got \"region.roads\""
        ),
        (
            "fences: fences.geojson",
            "headroom.yaml:1:9: fences: expected a list, such as [fences.geojson], got \"fences.geojson\""
        ),
        (
            "fences: {file: [a]}",
            "headroom.yaml:1:10: unknown key fences.file; did you mean fences.files?"
        ),
        (
            "fences: {files: a}",
            "headroom.yaml:1:17: fences.files: expected a list, such as [fences.geojson], got \"a\""
        ),
        (
            "fences: {determined: outside}",
            "headroom.yaml:1:22: fences.determined: expected inside or all, got \"outside\""
        ),
        ("roads: [[a]]", "headroom.yaml:1:9: roads[0]: expected the name of a file, got a list"),
        ("roads: [a, ]\nfences: [a, ~]", "headroom.yaml:2:13: fences[1]: expected the name of a file, got nothing"),
        (
            "alerts: {notice: [1, 2]}",
            """
            headroom.yaml:1:18: alerts.notice: expected a duration from 0 s to 600 s, such as 30 s, \
            5 min or 24 h, got a list
            """
        ),
        (
            "log: {level: {a: b}}",
            """
            headroom.yaml:1:14: log.level: expected trace, debug, info, notice, warning, error or critical, \
            got a group of keys
            """
        ),
        (
            "alerts: {service_roads: yes}",
            "headroom.yaml:1:25: alerts.service_roads: expected true or false, got \"yes\""
        ),
        ("alerts: {unknown: }", "headroom.yaml:1:19: alerts.unknown: expected none, below_default or all, got nothing"),
        ("fleet: {qos: one}", "headroom.yaml:1:14: fleet.qos: expected a whole number from 0 to 2, got \"one\""),
        // Units and ranges.
        (
            "fixes:\n  max_age: 24 km",
            """
            headroom.yaml:2:12: fixes.max_age: expected a duration from 60 s to 31536000 s, such as \
            30 s, 5 min or 24 h, got "24 km"
            """
        ),
        (
            "alerts: {distance: 1 h}",
            """
            headroom.yaml:1:20: alerts.distance: expected a length from 0 m to 100000 m, such as 1.5 m, \
            3 in or 1 mi, got "1 h"
            """
        ),
        (
            "heights: {margin: -3 in}",
            """
            headroom.yaml:1:19: heights.margin: expected a length from 0 m to 1 m, such as 1.5 m, \
            3 in or 1 mi, got "-3 in"
            """
        ),
        (
            "heights: {assumed: 6.01}",
            """
            headroom.yaml:1:20: heights.assumed: expected a height from 0.1 m to 6 m, such as 4.11 m \
            or 13'6", got "6.01"
            """
        ),
        (
            "alerts: {min_probability: 30%}",
            "headroom.yaml:1:27: alerts.min_probability: expected a number from 0 to 1, got \"30%\""
        ),
        (
            "alerts: {min_probability: nan}",
            "headroom.yaml:1:27: alerts.min_probability: expected a number from 0 to 1, got \"nan\""
        ),
        ("fleet: {qos: 3}", "headroom.yaml:1:14: fleet.qos: expected a whole number from 0 to 2, got \"3\""),
        (
            "detours: {through: Strict}",
            "headroom.yaml:1:20: detours.through: expected strict, all or noservice, got \"Strict\""
        ),
        (
            "console: {names: [t.example, \"https://trucks.example\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "https://trucks.example"
            """
        ),
        (
            "console: {names: [t.example, \"t2.example:8443\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "t2.example:8443"
            """
        ),
        (
            "console: {names: [t.example, \"*.example\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "*.example"
            """
        ),
        (
            "console: {names: [t.example, \"a b\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "a b"
            """
        ),
        (
            "console: {names: [t.example, \"trucks.example.\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "trucks.example."
            """
        ),
        (
            "console: {names: [t.example, \"[::1]\"]}",
            """
            headroom.yaml:1:30: console.names[1]: expected a host name or an IP address without scheme, port and brackets, \
            such as trucks.example, got "[::1]"
            """
        ),
        (
            "hooks: [{url: \"https://a/\"}]",
            "headroom.yaml:1:9: hooks[0]: expected either secret or secret_file, got neither"
        ),
        (
            "hooks: [{url: \"ftp://hunter2/\", secret_file: s}]",
            """
            headroom.yaml:1:15: hooks[0].url: expected an address such as https://dispatch.example/alerts, without user, \
            password and fragment, got something else
            """
        ),
        (
            "store: postgresql://h/d",
            "headroom.yaml:1:8: store: expected the name of a file, and no address, got \"postgresql://h/d\""
        ),
        (
            "hooks: [{url: \"https://a/\", secret: whsec_hunter2}]",
            """
            headroom.yaml:1:37: hooks[0].secret: expected whsec_ and 24 to 64 bytes in Base64, as of \
            echo whsec_$(openssl rand -base64 32), or another text up to 256 bytes, got something else
            """
        ),
        (
            "hooks: [{url: \"https://a/\", secret_file: s, stages: [halt]}]",
            """
            headroom.yaml:1:54: hooks[0].stages[0]: expected ahead, detour, stop, cleared or passed, got \"halt\"
            """
        ),
        (
            "hooks: [{url: \"https://a/\", secret_file: s}, {url: \"https://a/\", secret_file: t}]",
            "headroom.yaml:1:8: two hooks have one url; write one, with the stages of both"
        ),
        (
            "engine: {shards: 65}",
            "headroom.yaml:1:18: engine.shards: expected auto or a whole number from 1 to 64, got \"65\""
        ),
        ("broker: {protocol: 4}", "headroom.yaml:1:20: broker.protocol: expected 5 or 3.1.1, got \"4\""),
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
        let expected = "mqtt://host:port, or mqtts://host:port for TLS"
        #expect(problems == "headroom.yaml:1:15: broker.url: expected \(expected), got \"mqtt:/x\"")
        #expect(!problems.contains("\n"))
    }
}
