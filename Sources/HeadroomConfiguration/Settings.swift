public import Broker
public import Console
public import Fleet
public import Geo
public import Logging
public import MQTT
public import Wire

/// Everything that can be set: the settings of the parts, and those that are no single part's.
///
/// Lengths are metres, heights centimetres, durations seconds, files absolute paths. What is not written keeps the
/// default of its member. The methods `read…` are the table of all keys, kinds, ranges and comments.
public struct Settings: Hashable, Sendable {
    /// The vehicles' topics.
    public struct Fleet: Hashable, Sendable {
        /// A pattern that holds the level `{v}` once; other levels may be `{named}`.
        public var topic = "fleet/{v}"
        public var qos = QoS.atLeastOnce
        public var inputs: [FleetInput] = []
    }

    public var broker = BrokerSettings()
    /// Holds the broker's password, which `LoadedSettings.validated` reads.
    public var passwordFile: String?
    public var fleet = Fleet()
    /// What the gateway's own topics begin with, without a slash at its end.
    public var topicPrefix = "headroom"
    /// Road files.
    public var roads: [String] = []
    /// GeoJSON files of clearances.
    public var clearances: [String] = []
    /// GeoJSON files of fences.
    public var fences: [String] = []
    /// The SQLite file.
    public var store: String
    public var engine = EngineSettings()
    /// How long positions are kept; 0: no track is stored.
    public var keepPositions: Seconds = 0
    /// How long alerts, fence events and visits are kept.
    public var keepEvents: Seconds = 90 * 86_400
    public var console = ConsoleSettings()
    /// The least important level that is logged.
    public var logLevel = Logger.Level.info

    /// The defaults; relative files start from the current directory.
    public init() {
        var reader = SettingsReader(directory: ConfigurationFile.directory(of: nil))
        self.init(&reader)
    }

    init(_ read: inout SettingsReader) {
        store = "headroom.sqlite".path(from: read.directory)
        readBroker(&read)
        readFleet(&read)
        readFiles(&read)
        readHeights(&read)
        readDetours(&read)
        readAlerts(&read)
        readFixes(&read)
        readVisits(&read)
        readRegions(&read)
        readTracking(&read)
        readConsent(&read)
        readPrivacy(&read)
        readConsole(&read)
        readLog(&read)
    }

    /// What makes no sense together.
    func requireSense(_ read: inout SettingsReader) {
        requirePasswordOnce(&read)
        requireCertificates(&read)
        requireTopicsApart(&read)
        requireInputsApart(&read)
        warnOfMergedVehicles(&read)
        requireTokens(&read)
        requireOneBackground(&read)
    }
}
