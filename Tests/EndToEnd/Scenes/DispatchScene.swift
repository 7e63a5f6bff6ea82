import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A gateway on the demo's roads, and a tall truck that stands before the bridge and has been told, for what dispatch
/// enters meanwhile.
struct DispatchScene {
    let scratch: Scratch
    let broker: BrokerProcess
    let gateway: GatewayProcess
    let listener: Listener

    /// - Parameters:
    ///   - clearances: a file of the configuration; nil: none.
    ///   - fences: the same.
    init(clearances: String? = nil, fences: String? = nil) async throws {
        scratch = try Scratch()
        broker = try await BrokerProcess.started(scratch)
        let files = [("clearances", "extra.geojson", clearances), ("fences", "fences.geojson", fences)]
        var settings = ""
        for case (let key, let name, let text?) in files {
            _ = try scratch.write(text, to: name)
            settings += "\(key): [\(name)]\n"
        }
        gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch), more: settings)
        listener = try await broker.listener(["fleet/+/alert", "headroom/clearances/+/result"])
        try await gateway.start()
    }

    /// Three fixes, a second apart, 40 s after the demo's truck set off: it is told `ahead` by then.
    func standBeforeTheBridge() async throws {
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let start = Timestamp.now.adding(-3)
        for (second, fix) in try DemoTruck().drive(from: start.adding(-40)).enumerated() where 40...42 ~= second {
            try await broker.publish("fleet/T42/location", fix.json)
        }
    }

    func alerts(_ type: String = "low-clearance") -> [Listener.Heard] {
        listener.heard("fleet/T42/alert").filter {
            $0.object?["type"] as? String == type && $0.object?["attention"] as? String != "notice"
        }
    }

    var stages: [String] { alerts().compactMap { $0.object?["stage"] as? String } }

    var results: [String] {
        listener.heard.filter { $0.topic.hasSuffix("/result") }.map { "\($0.topic) \($0.payload)" }
    }

    func until(_ stages: [String]) async throws {
        try await eventually(within: .seconds(10), "stages: \(self.stages)") { self.stages == stages }
    }

    // MARK: What is entered

    /// A clearance as a GeoJSON Feature.
    ///
    /// - Parameter id: nil: it has none of its own, as on a topic.
    static func clearance(_ posted: String, at place: [String: Any], id: String? = nil) throws -> String {
        let (latitude, longitude) = (try #require(place["lat"] as? Double), try #require(place["lon"] as? Double))
        let ownID = id.map { #""id": "\#($0)", "# } ?? ""
        return """
            {"type": "Feature", \(ownID)"geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]},
             "properties": {"clearance": "\(posted)", "source": "survey"}}
            """
    }

    /// Of GeoJSON Features.
    static func collection(_ features: String...) -> String {
        #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ",\n"))]}"#
    }
}
