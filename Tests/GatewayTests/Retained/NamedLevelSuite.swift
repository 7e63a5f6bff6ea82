import FleetTestSupport
import GatewayTestSupport
import Geo
import Hashing
import Messages
import Store
import Testing
import Wire

@testable import Gateway

/// Suites about inputs that a vehicle, T42, and dispatch have retained on several levels of `acme/{region}/{v}`.
protocol NamedLevelSuite {}

/// What the gateway says of the vehicle.
struct LevelState: Decodable {
    struct Height: Decodable {
        var value: Double
        var status: String
    }

    struct Alert: Decodable {
        var stage: String
    }

    var height: Height
    var alerts: [Alert]
    var consent: String
}

extension NamedLevelSuite {
    // MARK: Inputs

    static func run() throws -> PipelineRun { try PipelineRun(pattern: try TopicPattern("acme/{region}/{v}")) }

    static func message(_ region: String, _ topicSuffix: String, _ payload: String) -> Script.Message {
        Script.retained("acme/\(region)/T42/\(topicSuffix)", payload)
    }

    static func profile(_ region: String, _ height: Metres) -> Script.Message {
        message(region, "profile", #"{"height": \#(height), "source": "driver"}"#)
    }

    static func consent(_ region: String, _ status: String) -> Script.Message {
        message(region, "consent", #"{"status": "\#(status)"}"#)
    }

    static func fix(_ region: String, east: Metres, at seconds: Seconds) -> Script.Message {
        var message = Script.location(
            "T42", Fix(position: Drawing.place(east, 0), time: .at(seconds), accuracy: 5, speed: 15, course: 90))
        message.topic = "acme/\(region)/T42/location"
        return message
    }

    /// The broker forgets the gateway's session, and brings all that is retained again.
    static func renewSession(_ run: PipelineRun, restarting: Bool, at seconds: Seconds) throws {
        run.connection.lose()
        run.broker.endSession()
        if restarting { try run.kill() }
        for later: Seconds in [10, 20] { try run.take([], at: .at(seconds + later)) }
    }

    // MARK: What follows

    static func state(_ run: PipelineRun) throws -> LevelState {
        try #require(try run.outputs(LevelState.self, "/T42/state").last)
    }

    /// The levels on which the broker retains something about the vehicle.
    static func regions(_ topicSuffix: String, _ run: PipelineRun) -> [String] {
        ["a", "b", "c"].filter { run.broker.retained["acme/\($0)/T42/\(topicSuffix)"] != nil }
    }

    /// The levels of which the store keeps something.
    static func keptRegions(_ topicSuffix: String, _ run: PipelineRun) throws -> [String] {
        try ["a", "b", "c"].filter { try run.store.retained("acme/\($0)/T42/\(topicSuffix)")?.isEmpty == false }
    }
}
