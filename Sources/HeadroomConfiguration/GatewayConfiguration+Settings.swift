public import Broker
public import Fleet
public import Gateway
import Messages
import MQTT
import Roads
import Wire

extension GatewayConfiguration {
    /// - Parameter version: of the program.
    /// - Throws: `BrokerError` or `TopicProblem` where settings that are right by themselves cannot work together.
    public init(_ settings: Settings, version: String) throws {
        self.init(
            broker: try BrokerSettings(settings.broker), pattern: try TopicPattern(settings.fleet.topic),
            inputs: settings.fleet.inputs,
            topics: try GatewayTopics(prefix: settings.headroom.topic, clientID: settings.broker.clientID),
            qos: QoS(rawValue: UInt8(settings.fleet.qos)) ?? .atLeastOnce, engine: EngineSettings(settings),
            store: settings.store, keepEvents: settings.privacy.keepEvents,
            keepPositions: settings.privacy.keepPositions, version: version)
    }
}

extension BrokerSettings {
    public init(_ settings: Settings.Broker) throws(BrokerError) {
        try self.init(url: settings.url.description, clientID: settings.clientID)
        username = settings.username
        password = settings.password?.text
        protocolVersion = settings.mqttVersion == .v5 ? .v5 : .v311
        guard settings.url.usesTLS else { return }
        tls = TLS(caFile: settings.caFile, certFile: settings.certFile, keyFile: settings.keyFile)
    }
}

extension EngineSettings {
    public init(_ settings: Settings) {
        self.init()
        heights.assumed = settings.heights.assumed
        heights.margin = settings.heights.margin
        heights.validFor = settings.heights.validFor
        heights.legalDefault = settings.heights.legalDefault
        heights.snapDistance = settings.heights.snapDistance
        alerts.distance = settings.alerts.distance
        alerts.leadTime = settings.alerts.leadTime
        alerts.notice = settings.alerts.notice
        alerts.minProbability = settings.alerts.minProbability
        alerts.serviceRoads = settings.alerts.serviceRoads
        determined = Determined(rawValue: settings.fences.determined.rawValue) ?? .inside
        regions.limit = settings.regions.limit
        regions.radiusMin = settings.regions.minRadius
        alerts.unknown = Alerts.Unknown(rawValue: settings.alerts.unknown.rawValue) ?? .belowDefault
        fixes.accuracyMax = settings.fixes.maxAccuracy
        fixes.ageMax = settings.fixes.maxAge
        fixes.gap = settings.fixes.gap
        fixes.reorder = settings.fixes.reorder
        fixes.hysteresisTime = settings.fixes.hysteresisTime
        fixes.reportInterval = settings.tracking.reportInterval
        trackingGroups = Set(settings.tracking.groups)
        visits.duration = settings.visits.duration
        visits.radius = settings.visits.radius
        visits.gap = settings.fixes.gap
        consent = Consent.Status(rawValue: settings.consent.standard.rawValue) ?? .notDetermined
        detours.through = ThroughPolicy(rawValue: settings.detours.through.rawValue) ?? .strict
        detours.lengthMax = settings.detours.maxLength
        keepsPositions = settings.privacy.keepPositions > 0
        showsPosition = settings.privacy.statePosition
        units = settings.fleet.units == .metric ? .metric : .imperial
    }
}
