import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

@testable import Gateway
@testable import HeadroomConfiguration

/// The examples of the Inputs article's "Other layouts": each configuration reads the payload below it.
struct InputsArticleTests {
    private static let receivedAt = Timestamp(milliseconds: 1_795_269_810_000)

    /// What stands between fences of that language, in order.
    private static func examples(_ language: String) throws -> [String] {
        let file = URL(filePath: #filePath).appending(path: "../../../Sources/headroom/Headroom.docc/Inputs.md")
            .standardized
        let article = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(article.components(separatedBy: "\n## Other layouts\n").dropFirst().first)
        let own = section.components(separatedBy: "\n## ")[0]
        return own.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
    }

    private static func decode(_ example: Int, on topic: String) throws -> [DecodedMessage] {
        let settings = try SettingsFolder().load(try examples("yaml")[example]).settings
        let decoder = WireDecoder(pattern: try TopicPattern(settings.fleet.topic), inputs: settings.fleet.inputs)
        return decoder.decode(
            topic: topic, payload: Array(try examples("json")[example].utf8), retained: false, receivedAt: receivedAt)
    }

    @Test func aTransitFeedIsRead() throws {
        let topic = "/hfp/v2/journey/ongoing/vp/bus/0012/01234/2550/1/Pasila/13:30/1240118/5/60;24/19/84/51"
        let decoded = try Self.decode(0, on: topic)
        let fix = Fix(
            position: Coordinate(latitude: 60.188543, longitude: 24.918572),
            time: Timestamp(milliseconds: 1_795_269_802_500), accuracy: 10, speed: 8.61, course: 271)
        #expect(decoded.map { $0.address?.vehicle.text } == ["0012-01234"])
        #expect(decoded.map(\.reports) == [[.location([fix])]])
    }

    @Test func aWebhookOfSeveralVehiclesIsRead() throws {
        let decoded = try Self.decode(1, on: "telematics/positions")
        #expect(decoded.map { $0.address?.vehicle.text } == ["4711", "T43"])
        #expect(decoded.allSatisfy { $0.rejections.isEmpty && $0.reports.count == 1 })
        guard case .location(let fixes) = decoded[0].reports[0], let fix = fixes.first else { return }
        #expect(fix.position.distance(to: Coordinate(latitude: 42.280597, longitude: -83.751891)) < 0.01)
        #expect(fix.time == Timestamp(milliseconds: 1_795_269_802_500))
        #expect(abs((fix.speed ?? 0) - 17.211) < 0.001 && abs((fix.altitude ?? 0) - 256.03) < 0.01)
    }
}
