import Foundation
import Testing

@testable import Gateway
@testable import HeadroomConfiguration

/// The table of settings, the shipped file, the environment and what is printed stay in step.
struct SettingsTableTests {
    /// For every key a value that is not the default, as it is written in the file.
    static let values: [String: String] = [
        "broker.url": "mqtts://broker.example:8884", "broker.username": "gateway", "broker.password": "hunter2",
        "broker.password_file": "secret", "broker.ca_file": "ca.pem", "broker.cert_file": "cert.pem",
        "broker.key_file": "key.pem", "broker.protocol": "3.1.1", "broker.client_id": "headroom-2",
        "cluster.url": "amqps://rabbit.example:5673", "cluster.virtual_host": "fleet", "cluster.queues": "32",
        "cluster.prefetch": "500",
        "fleet.topic": "acme/{region}/{v}", "fleet.qos": "0", "fleet.units": "metric", "fleet.language": "de",
        "fleet.inputs": "[{layout: owntracks, topic: \"owntracks/{user}/{v}\"}]", "headroom.topic": "acme/headroom",
        "roads": "[a.roads, b.roads]", "clearances": "[a.geojson]", "fences.files": "[f.geojson]",
        "fences.determined": "all", "store.durability": "process", "store.file": "other.sqlite",
        "store.url": "postgresql://gateway@db.example:5433/fleet", "store.password": "hunter2",
        "store.password_file": "store-secret",
        "store.snapshot_interval": "2 min", "engine.shards": "3",
        "heights.assumed": "4.00 m", "heights.margin": "5 cm", "heights.valid_for": "24 h",
        "heights.legal_default": "4.3", "heights.snap_distance": "20 m", "detours.through": "all",
        "detours.max_length": "10 km", "alerts.distance": "2 km", "alerts.lead_time": "90", "alerts.notice": "8 s",
        "alerts.min_probability": "0", "alerts.notice_probability": "0.05", "alerts.unknown": "all",
        "alerts.history": "{passes: 50, rate: 0}", "alerts.service_roads": "true", "alerts.ack_timeout": "2 min",
        "cab.valid_for": "10 d",
        "fixes.max_accuracy": "50", "fixes.reorder": "5 s", "fixes.max_age": "12 h", "fixes.gap": "2 min",
        "fixes.hysteresis_time": "30 s", "visits.duration": "10 min", "visits.radius": "100 m", "regions.limit": "100",
        "regions.min_radius": "200 m", "tracking.groups": "[midwest]", "tracking.report_interval": "30 s",
        "consent.default": "not-determined", "privacy.keep_positions": "7 d", "privacy.keep_events": "30 d",
        "privacy.state_position": "true", "console.listen": "[::1]:9090", "console.names": "[trucks.example]",
        "console.auth": "required", "console.tokens_file": "tokens", "console.health": "127.0.0.1:8081",
        "console.tls": "{cert_file: console.pem, key_file: console.key}",
        "console.maplibre": "maplibre", "console.style": "https://maps.example/style.json",
        "console.tiles": "http://localhost:9000/{z}/{x}/{y}.png", "console.attribution": "Maps by Example",
        "hooks": "[{url: \"https://dispatch.example/alerts\", stages: [stop], secret_file: hook.secret}]",
        "log.level": "debug",
    ]

    @Test func everyKeyHasAValueToTryHere() {
        #expect(Set(Settings.names) == Set(Self.values.keys))
    }

    @Test func everyVariableIsOneKeys() {
        #expect(Set(Settings.names.map(SettingsEnvironment.variable)).count == Settings.names.count)
    }

    @Test(arguments: Settings.names)
    func aKeyIsSetFromTheFileAndFromTheEnvironmentAlike(name: String) throws {
        let value = try #require(Self.values[name])
        let variable = SettingsEnvironment.variable(name)
        // A value that begins with a bracket may be a list or an IPv6 address.
        let text = value.hasPrefix("{") || value.hasPrefix("[") && !value.hasPrefix("[::") ? value : "\"\(value)\""

        let (file, fileOrigins) = try Self.read(Self.file(name, text), [:])
        let (environment, environmentOrigins) = try Self.read(nil, [variable: value])

        #expect(file == environment)
        #expect(try file != Self.read(nil, [:]).settings)
        let inFile = try #require(fileOrigins.first { $0.name == name })
        #expect(inFile.origin.summary == "headroom.yaml:\(name.contains(".") ? 2 : 1)")
        let inEnvironment = try #require(environmentOrigins.first { $0.name == name })
        #expect(inEnvironment.origin == .environment(variable))
        #expect(inEnvironment.text == inFile.text)
        let printed = LoadedSettings(settings: file, origins: fileOrigins, warnings: [], directory: "/etc").printed
        #expect(printed.contains("\(name): \(inFile.text) "))
    }

    @Test("A default, as the shipped file writes it, is the default in force", arguments: Settings.names)
    func writtenDefault(name: String) throws {
        let (defaults, settings) = try Self.read(nil, [:])
        let written = try #require(settings.first { $0.name == name }).standard
        #expect(try Self.read(Self.file(name, written), [:]).settings == defaults)
    }

    /// Without asking what makes sense together: one key is set alone.
    private static func read(
        _ root: SettingNode?, _ environment: [String: String]
    ) throws -> (settings: Settings, origins: [Setting]) {
        var reader = SettingsReader(root: root, environment: environment, directory: "/etc")
        let settings = Settings(&reader)
        reader.requireKnownNames()
        #expect(reader.problems.isEmpty)
        return (settings, reader.settings)
    }

    @Test func everyKeyIsPrintedWithWhereItCameFrom() throws {
        let folder = try SettingsFolder()
        let loaded = try folder.load(
            "heights: {assumed: 4 m}\nroads: [a.roads]", environment: ["HEADROOM_FLEET_QOS": "2"])
        let lines = folder.shortened(loaded.printed).split(separator: "\n")
        #expect(lines.map { String($0.prefix { $0 != ":" }) } == Settings.names)
        #expect(lines.contains { $0.wholeMatch(of: /heights\.assumed: 4 m +# headroom\.yaml:1/) != nil })
        #expect(lines.contains { $0.wholeMatch(of: /roads: \[a\.roads\] +# headroom\.yaml:2/) != nil })
        #expect(lines.contains { $0.wholeMatch(of: /fleet\.qos: 2 +# environment HEADROOM_FLEET_QOS/) != nil })
        #expect(lines.contains { $0.wholeMatch(of: /heights\.legal_default: 4\.0 m +# default/) != nil })
    }

    @Test func theShippedFileIsTheTable() throws {
        #expect(try String(contentsOfFile: Self.shipped, encoding: .utf8) == Settings.commentedDefaults)
    }

    @Test func theShippedFileSetsEveryKeyToItsDefault() throws {
        let loaded = try Settings.load(path: Self.shipped, environment: [:])
        var settings = try loaded.validated()
        settings.store = Settings().store
        #expect(settings == Settings())
        #expect(loaded.origins.allSatisfy { $0.origin.summary.hasPrefix(Self.shipped + ":") })
    }

    private static var shipped: String {
        URL(filePath: #filePath).appending(path: "../../../config/headroom.yaml").standardized.path
    }

    /// A file that sets one key.
    private static func file(_ name: String, _ text: String) throws -> SettingNode {
        let parts = name.split(separator: ".")
        let yaml = parts.count == 2 ? "\(parts[0]):\n  \(parts[1]): \(text)" : "\(name): \(text)"
        return try ConfigurationFile.node(
            yaml, origin: .file("headroom.yaml", line: 1, column: 1), directory: "/etc")
    }
}

extension Settings {
    /// Of all keys, in the order of the file.
    fileprivate static var names: [String] {
        var reader = SettingsReader()
        _ = Settings(&reader)
        return reader.settings.map(\.name)
    }
}
