/// Everything that can be set: one member a key of `config/headroom.yaml`, under the same names.
///
/// Lengths are metres, heights centimetres, durations seconds, files absolute paths. The initializers of the parts
/// are the table of all keys, kinds, ranges, defaults and comments.
public struct Settings: Hashable, Sendable {
    public var broker: Broker
    public var fleet: Fleet
    public var headroom: Headroom
    /// Road files.
    public var roads: [String]
    /// GeoJSON files of clearances.
    public var clearances: [String]
    public var fences: Fences
    /// The SQLite file.
    public var store: String
    public var heights: Heights
    public var detours: Detours
    public var alerts: Alerts
    public var fixes: Fixes
    public var visits: Visits
    public var regions: Regions
    public var tracking: Tracking
    public var consent: Consent
    public var privacy: Privacy
    public var console: Console
    public var log: Log

    /// The defaults; relative files start from the current directory.
    public init() {
        var reader = SettingsReader(directory: ConfigurationFile.directory(of: nil))
        self.init(&reader)
    }

    init(_ read: inout SettingsReader) {
        broker = Broker(&read)
        fleet = Fleet(&read)
        headroom = Headroom(&read)
        roads = read(
            "roads", .list(of: .file, example: "[region.roads]"), default: "",
            "Road files, made by headroom roads build; several are joined. Without any, clearances count alone.")
        clearances = read(
            "clearances", .list(of: .file, example: "[extra.geojson]"), default: "",
            "Files of further clearances, GeoJSON, beside those in the road files and on the topics.")
        fences = Fences(&read)
        store = read(
            "store", .newFile, default: "headroom.sqlite", "Where the gateway keeps its state; made if missing.")
        heights = Heights(&read)
        detours = Detours(&read)
        alerts = Alerts(&read)
        fixes = Fixes(&read)
        visits = Visits(&read)
        regions = Regions(&read)
        tracking = Tracking(&read)
        consent = Consent(&read)
        privacy = Privacy(&read)
        console = Console(&read)
        log = Log(&read)
    }

    /// What makes no sense together.
    func requireSense(_ read: inout SettingsReader) {
        broker.requireSense(&read)
        headroom.requireApart(from: fleet, &read)
        fleet.warnOfMergedVehicles(&read)
        console.requireSense(&read)
    }
}
