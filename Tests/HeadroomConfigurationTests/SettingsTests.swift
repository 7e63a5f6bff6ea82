import Broker
import Console
import Fleet
import Geo
import Logging
import Messages
import MQTT
import Roads
import Testing
import Wire

@testable import Gateway
@testable import HeadroomConfiguration

struct SettingsTests {
    @Test func anEmptyFileIsAllDefaults() throws {
        let folder = try SettingsFolder()
        for yaml in ["", "# nothing\n", "---\n", "broker:\nalerts:\n  # distance: 2 mi\n", "\u{FEFF}\r\n"] {
            var loaded = try folder.load(yaml).settings
            #expect(loaded.store == folder.path + "/headroom.sqlite")
            loaded.store = Settings().store
            #expect(loaded == Settings(), "\(yaml)")
        }
    }

    @Test func defaultsAreThoseOfTheContract() {
        let settings = Settings()
        #expect(settings.broker.address.description == "mqtt://127.0.0.1:1883")
        #expect(settings.broker.protocolVersion == .v5)
        #expect(settings.broker.clientID == "headroom")
        #expect(settings.fleet.topic == "fleet/{v}")
        #expect(settings.fleet.qos == .atLeastOnce)
        #expect(settings.topicPrefix == "headroom")
        let engine = settings.engine
        #expect(engine.heights.assumed == 412)
        #expect(engine.heights.margin == 0.0762)
        #expect(engine.heights.legalDefault == 400)
        #expect(engine.heights.snapDistance == 40)
        #expect(engine.detours.through == .strict)
        #expect(engine.detours.lengthMax == 30_000)
        #expect(engine.alerts.distance == Unit.mile)
        #expect(engine.alerts.leadTime == 60)
        #expect(engine.alerts.notice == 10)
        #expect(engine.alerts.minProbability == 0.3)
        #expect(engine.alerts.unknown == .belowDefault)
        #expect(!engine.alerts.serviceRoads)
        #expect(engine.fixes.accuracyMax == 100)
        #expect(engine.fixes.reorder == 10)
        #expect(engine.fixes.ageMax == 86_400)
        #expect(engine.fixes.gap == 300)
        #expect(engine.visits.duration == 300)
        #expect(engine.visits.radius == 150)
        #expect(engine.regions.limit == 20)
        #expect(engine.regions.radiusMin == 100)
        #expect(engine.trackingGroups.isEmpty)
        #expect(engine.fixes.reportInterval == 10)
        #expect(engine.consent == .always)
        #expect(settings.keepPositions == 0)
        #expect(settings.keepEvents == 90 * 86_400)
        #expect(!engine.showsPosition)
        #expect(settings.console.listen.description == "127.0.0.1:8080")
        #expect(settings.console.authentication == .remote)
        #expect(settings.logLevel == .info)
    }

    @Test(arguments: [
        ("13'6\"", 412), ("4.35", 435), ("4.350", 435), ("4.3501 m", 436), ("435 cm", 435), ("13 ft 6 in", 412),
    ])
    func aVehiclesHeightIsRoundedUp(text: String, height: Centimetres) throws {
        let loaded = try Settings.load(path: nil, environment: ["HEADROOM_HEIGHTS_ASSUMED": text])
        #expect(loaded.settings.engine.heights.assumed == height)
    }

    @Test(arguments: [("13'6\"", 411), ("4.35", 435), ("4.3599 m", 435), ("435 cm", 435), ("4", 400)])
    func theLegalDefaultIsRoundedDown(text: String, height: Centimetres) throws {
        let loaded = try Settings.load(path: nil, environment: ["HEADROOM_HEIGHTS_LEGAL_DEFAULT": text])
        #expect(loaded.settings.engine.heights.legalDefault == height)
    }

    @Test(arguments: [
        ("mqtt://broker", "mqtt://broker:1883"), ("mqtts://broker", "mqtts://broker:8883"),
        ("MQTT://10.0.0.7:1884/", "mqtt://10.0.0.7:1884"), ("mqtts://[fe80::1]", "mqtts://[fe80::1]:8883"),
    ])
    func aBrokersPortIsTheUsualOneUnlessGiven(text: String, url: String) throws {
        let loaded = try Settings.load(path: nil, environment: ["HEADROOM_BROKER_URL": text])
        #expect(loaded.settings.broker.address.description == url)
    }

    @Test(arguments: [
        ("localhost:1", true), ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("0.0.0.0:1", false),
        ("[::]:1", false), ("10.0.0.1:1", false), ("127.0.0.1.example:1", false), ("127.evil.0.1:1", false),
    ])
    func onlyLoopbackIsLoopback(address: String, isLoopback: Bool) {
        #expect(NetworkAddress(address)?.isLoopback == isLoopback)
    }

    @Test func filesAreRelativeToTheConfiguration() throws {
        let folder = try SettingsFolder()
        let settings = try folder.load(
            "roads: [a.roads, ./b.roads, /maps/c.roads]\nstore: state/headroom.sqlite",
            environment: ["HEADROOM_FENCES": "../depots.geojson"]
        ).settings
        #expect(settings.roads == ["\(folder.path)/a.roads", "\(folder.path)/b.roads", "/maps/c.roads"])
        #expect(settings.store == "\(folder.path)/state/headroom.sqlite")
        #expect(settings.fences == ["\(folder.path)/../depots.geojson"])
    }

    @Test(
        arguments: [
            ("fences: [a, b]", [:], ["a", "b"], .inside), ("fences: {files: [a]}", [:], ["a"], .inside),
            ("fences: {files: [a, b], determined: all}", [:], ["a", "b"], .all),
            ("fences: {determined: all}", [:], [], .all), ("fences:", [:], [], .inside),
            ("fences: [a]", ["HEADROOM_FENCES_DETERMINED": "all"], ["a"], .all),
            ("fences: [a]", ["HEADROOM_FENCES": "b,c"], ["b", "c"], .inside),
            ("fences: {files: [a], determined: all}", ["HEADROOM_FENCES_FILES": "b"], ["b"], .all),
            ("fences: [a]", ["HEADROOM_FENCES": "b", "HEADROOM_FENCES_FILES": "c"], ["c"], .inside),
        ] as [(String, [String: String], [String], EngineSettings.Determined)])
    func fencesAreAListOfFilesOrHoldKeys(
        yaml: String, environment: [String: String], files: [String], determined: EngineSettings.Determined
    ) throws {
        let folder = try SettingsFolder()
        let settings = try folder.load(yaml, environment: environment).settings
        #expect(settings.fences == files.map { "\(folder.path)/\($0)" })
        #expect(settings.engine.determined == determined)
    }

    @Test func theConsolesNamesAreHostNamesAndAddresses() throws {
        let names = ["trucks.example", "Maps_2.example", "localhost", "192.0.2.7", "fd00::1"]
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try SettingsFolder().load("console: {names: [\(list)]}").settings.console.names == names)
    }

    @Test(arguments: ["127.0.0.1:8081", "127.0.0.2:8080", "[::1]:8080", "127.0.0.1:0"])
    func healthChecksMayHaveAnyAddressOnLoopbackThatTheConsoleLeavesFree(health: String) throws {
        #expect(try SettingsFolder().load("console: {health: \"\(health)\"}").settings.console.health != nil)
    }

    @Test func everyLayoutOfInputIsRead() throws {
        let inputs = try SettingsFolder().load(
            """
            fleet:
              inputs:
                - {layout: owntracks, topic: "owntracks/{user}/{v}"}
                - {layout: traccar, topic: traccar/positions}
                - {layout: headroom, topic: "depot/{v}/fix"}
                - layout: mapped
                  topic: "/hfp/v2/journey/ongoing/vp/bus/+/#"
                  vehicle: /VP/veh
                  fields:
                    lat: /VP/lat
                    lon: /VP/long
                    speed: {pointer: /VP/spd, unit: km/h}
                    accuracy: {value: 10, unit: ft}
                - {layout: mapped, topic: ferry, vehicle: {value: T42}, each: /points, fields: {lat: /0, lon: /1}}
            """
        ).settings.fleet.inputs
        let pointer = { (text: String) in try #require(JSONPointer(text)) }
        let hfp = MappedLayout(
            fields: [
                .lat: .pointer(try pointer("/VP/lat")), .lon: .pointer(try pointer("/VP/long")),
                .speed: .pointer(try pointer("/VP/spd"), unit: .kilometresPerHour), .accuracy: .constant(3.048),
            ])
        let batch = MappedLayout(
            each: try pointer("/points"),
            fields: [.lat: .pointer(try pointer("/0")), .lon: .pointer(try pointer("/1"))])
        #expect(
            try inputs == [
                FleetInput(topic: InputTopic("owntracks/{user}/{v}"), layout: .ownTracks),
                FleetInput(topic: InputTopic("traccar/positions"), layout: .traccar),
                FleetInput(topic: InputTopic("depot/{v}/fix"), layout: .headroom),
                FleetInput(
                    topic: InputTopic("/hfp/v2/journey/ongoing/vp/bus/+/#"), layout: .mapped(hfp),
                    vehicle: VehicleTemplate(pointer("/VP/veh"))),
                FleetInput(
                    topic: InputTopic("ferry"), layout: .mapped(batch),
                    vehicle: VehicleTemplate(#require(VehicleID("T42")))),
            ])
    }

    @Test func aUnitsFactorLeadsToMetresDegreesAndSeconds() {
        #expect((3600 * MappedLayout.Unit.knots.factor).rounded() == 1852)
        #expect(36 * MappedLayout.Unit.kilometresPerHour.factor == 10)
        #expect(MappedLayout.Unit.radians.factor * .pi == 180)
        #expect(422_805_970 * MappedLayout.Unit.degrees7.factor == 42.280597)
    }

    @Test func theEnvironmentWinsOverTheFile() throws {
        let loaded = try SettingsFolder().load(
            "alerts: {notice: 20 s, distance: 2 mi}", environment: ["HEADROOM_ALERTS_NOTICE": "5"])
        #expect(loaded.settings.engine.alerts.notice == 5)
        #expect(loaded.settings.engine.alerts.distance == 2 * Unit.mile)
    }

    @Test(arguments: [
        ("midwest,south", ["midwest", "south"]), (" midwest , south ", ["midwest", "south"]), ("", []),
        ("[\"a,b\", c]", ["a,b", "c"]),
    ])
    func listsInTheEnvironmentAreSeparatedByCommas(text: String, groups: [String]) throws {
        let loaded = try Settings.load(path: nil, environment: ["HEADROOM_TRACKING_GROUPS": text])
        #expect(loaded.settings.engine.trackingGroups == Set(groups))
    }

    @Test func textsThatLookLikeOtherThingsStayTexts() throws {
        let broker = try SettingsFolder().load("broker: {username: 1234, password: \"null\", client_id: yes}").settings
            .broker
        #expect(broker.username == "1234")
        #expect(broker.password?.text == "null")
        #expect(broker.clientID == "yes")
    }

    @Test func variablesOfAServiceNamedHeadroomAreLetPass() throws {
        let links = [
            "HEADROOM_SERVICE_HOST": "10.0.0.1", "HEADROOM_SERVICE_PORT": "8080", "HEADROOM_SERVICE_PORT_HTTP": "8080",
            "HEADROOM_PORT": "tcp://10.0.0.1:8080", "HEADROOM_PORT_8080_TCP_ADDR": "10.0.0.1", "PATH": "/bin",
        ]
        #expect(try Settings.load(path: nil, environment: links).settings == Settings())
    }
}
