import Broker
import Clearances
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import MQTT
import RoadImport
import Roads
import Traces
import Wire

/// What reads bytes from outside. Whatever they are, it returns, or throws an error of its own.
package enum FuzzedDecoder: String, CaseIterable, Sendable {
    /// A message from the broker: a topic, a line feed, and the payload. Takes all topics, and all layouts of payloads.
    case message
    /// Fences and clearances of files.
    case geojson
    /// Clearances of files, in the layout that their first lines look like.
    case clearances
    case nbi
    case nbiFixed = "nbi-fixed"
    /// The content of an OSM file's block, inside its container and not compressed.
    case osmBlock = "osm-block"
    case osmXML = "osm-xml"
    /// A road file; or of one of its sections that are decoded the content, behind the section's number, in a file whose checksums
    /// are right.
    case roadFile = "road-file"
    case configuration
    /// Patterns of topics, filters and vehicle ids, as settings have them.
    case pattern
    /// Lengths, durations, times and posted heights.
    case quantity
    /// The stored state of a vehicle.
    case vehicle
    /// The stored inputs of a batch.
    case journal
    /// What vehicles did near low clearances, as it is stored, and as it is handed on as text.
    case hazardHistory = "hazard-history"
    /// What the gateways of a cluster tell each other.
    case gatewayMessage = "gateway-message"
    /// A request to the console: method and path, header fields, an empty line and the body.
    case request
    /// A recorded drive, in the layout that its first line looks like.
    case trace
}

/// Hands bytes to a decoder. Keeps parsers and their buffers: one thread at a time.
package final class DecoderDriver {
    private let decoder: FuzzedDecoder
    private let intake: Intake
    private let setting: TraceSetting
    private let console: FuzzedConsole?

    /// - Throws: what is wrong with the settings that the decoder is to have.
    package init(_ decoder: FuzzedDecoder) throws {
        self.decoder = decoder
        let configuration = try onFile(Array(Self.settings.utf8)) { path in
            try GatewayConfiguration(Settings.load(path: path, environment: [:]).settings, version: "1")
        }
        intake = Intake(configuration)
        console = decoder == .request ? try FuzzedConsole() : nil
        setting = TraceSetting(vehicle: "T42", levels: [], configuration: configuration)
    }

    /// Returns; what the bytes hold and what is wrong with them does not matter.
    package func decode(_ bytes: [UInt8]) {
        switch decoder {
        case .message: takeMessage(bytes)
        case .geojson:
            onFile(bytes) { path in
                _ = try? FenceFile.read([path])
                _ = try? ClearanceFile.readGeoJSON([path])
                _ = try? LineFile.features(path)
            }
        case .clearances: onFile(bytes) { Self.readClearances($0, as: nil) }
        case .nbi: onFile(bytes) { Self.readClearances($0, as: .nbi) }
        case .nbiFixed: onFile(bytes) { Self.readClearances($0, as: .nbiFixed) }
        case .osmBlock: onFile(OSMBlock.file(bytes), ending: ".osm.pbf", Self.build)
        case .osmXML: onFile(bytes, ending: ".osm", Self.build)
        case .roadFile: Self.readRoads(RoadFileSections.file(bytes))
        case .configuration:
            onFile(bytes) { path in
                let loaded = try? Settings.load(path: path, environment: [:])
                _ = loaded?.printed
                _ = try? loaded.map { try GatewayConfiguration($0.settings, version: "1") }
            }
        case .pattern: Self.readPattern(String(decoding: bytes, as: UTF8.self))
        case .quantity: Self.readQuantity(String(decoding: bytes, as: UTF8.self))
        case .vehicle: _ = try? Vehicle(state: bytes)
        case .journal: _ = try? JournalRecord(encoded: bytes)
        case .hazardHistory: Self.readHistory(bytes)
        case .gatewayMessage: Self.take(bytes)
        case .request: console?.answer(bytes)
        case .trace: onFile(bytes) { path in _ = try? Trace(path, setting) { _ in } }
        }
    }

    // MARK: Each

    /// Inputs of every layout.
    private static let settings = """
        fleet:
          topic: "fleet/{v}"
          inputs:
            - {layout: owntracks, topic: "owntracks/{user}/{v}", vehicle: "{user}-{v}"}
            - {layout: traccar, topic: traccar/positions}
            - layout: mapped
              topic: "hfp/{operator}/{v}/#"
              vehicle: "{operator}-{v}"
              fields: {lat: /VP/lat, lon: /VP/long, time: /VP/tst, speed: {pointer: /VP/spd, unit: m/s}}
        """

    private func takeMessage(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let topic = String(decoding: parts[0], as: UTF8.self)
        let payload = parts.count > 1 ? Array(parts[1]) : []
        for isRetained in [false, true] {
            var batch = Intake.Batch()
            let message = ReceivedMessage(topic: topic, payload: payload, qos: .atLeastOnce, retained: isRetained)
            intake.take(message, at: Timestamp(milliseconds: 1_795_269_600_000), &batch)
        }
    }

    private static func readClearances(_ path: String, as format: ClearanceFormat?) {
        var collection = ClearanceCollection()
        try? ClearanceFile.read(path, as: format, into: &collection)
        _ = ClearanceReject.table(collection.rejects)
    }

    private static func readRoads(_ bytes: [UInt8]) {
        onFile(bytes) { path in
            guard let network = try? RoadNetwork.open(path), (try? network.verify()) != nil else { return }
            _ = (network.summary, network.baseMapCounts, try? network.snapDistance, try? network.namedPlaces())
            for zoom in [4, 9, 14] {
                _ = try? network.baseMap(
                    in: Bounds(south: 42, west: -84, north: 43, east: -83), zoom: zoom)
            }
            build(path)
        }
    }

    private static func readHistory(_ bytes: [UInt8]) {
        let histories = [
            try? HazardHistory(encoded: bytes), try? HazardHistory(text: String(decoding: bytes, as: UTF8.self)),
        ]
        for case var history? in histories {
            precondition((try? HazardHistory(encoded: history.encoded())) == history, "a history that is not read back")
            history.add(history)
            _ = history.text
        }
    }

    private static func take(_ bytes: [UInt8]) {
        guard let (sender, message) = try? GatewayMessage.decode(bytes) else { return }
        guard case .part(let part, let number) = message else { return }
        var fleet = FleetElsewhere()
        for _ in 0..<2 { _ = fleet.take(part, number: number, from: sender) }
        for entry in part.entries {
            _ = fleet.snapshot(of: entry.vehicle, EngineSettings(), at: Timestamp(milliseconds: 1_795_269_600_000))
        }
    }

    private static func build(_ path: String) {
        guard let built = try? RoadBuild.build([path], progress: { _ in }) else { return }
        // What is built can be opened.
        do {
            try RoadNetwork(RoadFileBuffer(built.file)).verify()
        } catch {
            preconditionFailure("expected a sound road file, got \(error)")
        }
    }

    private static func readPattern(_ text: String) {
        if let pattern = try? TopicPattern(text) {
            _ = try? pattern.parse(text)
            _ = TopicSuffix.allCases.map { pattern.filter(for: $0) }
        }
        _ = try? VehicleTemplate(text)
        _ = try? GatewayTopics(prefix: text, clientID: text)
        if let topic = try? InputTopic(text) { _ = TopicFilter.overlap(topic.filter, text) }
    }

    private static func readQuantity(_ text: String) {
        if let tenths = LengthText.tenthMillimetres(text) {
            precondition(
                LengthText.metres(text) != nil, "a length that is read in one way and not in the other: \(tenths)")
        }
        _ = DurationText.seconds(text)
        if let time = RFC3339.timestamp(text) {
            precondition(RFC3339.timestamp(RFC3339.text(time)) != nil, "a time that is not read back: \(text)")
        }
        _ = ClearanceReading(statement: text)
    }
}
