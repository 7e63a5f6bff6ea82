package import Broker
package import Console
package import Fleet
package import Geo
package import Logging
package import MQTT
package import Store
package import Wire

/// Everything that can be set: the settings of the parts, and those that are no single part's.
///
/// Lengths are metres, heights centimetres, durations seconds, files absolute paths. What is not written keeps the
/// default of its member. The methods `read…` are the table of all keys, kinds, ranges and comments.
package struct Settings: Hashable, Sendable {
    /// The vehicles' topics.
    package struct Fleet: Hashable, Sendable {
        /// A pattern that holds the level `{v}` once; other levels may be `{named}`.
        package var topic = "fleet/{v}"
        package var qos = QoS.atLeastOnce
        package var inputs: [FleetInput] = []
    }

    /// Several gateways that share a fleet.
    package struct Cluster: Hashable, Sendable {
        /// RabbitMQ, spoken to by AMQP; nil: there is one gateway, over MQTT alone.
        var address: BrokerAddress?
        package var virtualHost = "/"
        /// What the vehicles are distributed over.
        package var queues = 8
        /// Messages of each queue that are under way or not committed, at most.
        package var prefetch = 1_000
    }

    package var broker = BrokerSettings()
    package var cluster = Cluster()
    /// Holds the broker's password, which `LoadedSettings.withPasswords` reads.
    package var passwordFile: String?
    package var fleet = Fleet()
    /// What the gateway's own topics begin with, without a slash at its end.
    package var topicPrefix = "headroom"
    /// Road files.
    package var roads: [String] = []
    /// GeoJSON files of clearances.
    package var clearances: [String] = []
    /// GeoJSON files of fences.
    package var fences: [String] = []
    /// The SQLite file, or what other files stand beside.
    package var store: String
    /// Instead of the file.
    package var storeURL: PostgreSQLAddress?
    package var storePassword: Secret?
    /// Holds the database's password, which `LoadedSettings.withPasswords` reads.
    package var storePasswordFile: String?
    package var durability = StoreDurability.power
    /// Within this time the state of a vehicle that has changed is written.
    package var snapshotInterval: Seconds = 60
    /// Into how many parts the fleet is divided.
    package var shards = 1
    package var engine = EngineSettings()
    /// How long positions are kept; 0: no track is stored.
    package var keepPositions: Seconds = 0
    /// How long alerts, fence events and visits are kept.
    package var keepEvents: Seconds = 90 * 86_400
    /// After how long a `stop` escalates that nobody has acknowledged or taken; 0: never.
    package var ackTimeout: Seconds = 60
    package var console = ConsoleSettings()
    /// How long a phone that was paired with a vehicle may speak for it.
    package var cabValidFor: Seconds = 30 * 86_400
    /// Where alerts are posted to.
    package var hooks: [Hook] = []
    /// The least important level that is logged.
    package var logLevel = Logger.Level.info

    /// The defaults; relative files start from the current directory.
    package init() {
        var reader = SettingsReader(directory: ConfigurationFile.directory(of: nil))
        self.init(&reader)
    }

    init(_ read: inout SettingsReader) {
        store = "headroom.sqlite".path(from: read.directory)
        readBroker(&read)
        readCluster(&read)
        readFleet(&read)
        readFiles(&read)
        readEngine(&read)
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
        readCab(&read)
        readHooks(&read)
        readLog(&read)
    }

    /// What makes no sense together.
    func requireSense(_ read: inout SettingsReader) {
        requireUser(&read)
        requireStoreSense(&read)
        requireCertificates(&read)
        requireClusterSense(&read)
        requireTopicsApart(&read)
        requireInputsApart(&read)
        warnOfMergedVehicles(&read)
        requireTokens(&read)
        requireLoopbackHealth(&read)
        requireHealthApart(&read)
        requireOneBackground(&read)
        requireHooksApart(&read)
    }
}
