import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Which height counts, on whose word, and what it does not fit under.
struct HeightTests {
    private func alerted(_ posted: String, _ profile: HeightProfile?) throws -> [AlertMessage] {
        let drawing = try Drawing.bridge(posted)
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(profile), at: -60)
        dispatcher.drive(Journey(line: try drawing.line("aj")))
        return dispatcher.alerts
    }

    struct Fit: CustomTestStringConvertible, Sendable {
        var posted: String
        var height: Centimetres
        var margin: Metres?
        var isAlerted: Bool

        init(_ posted: String, _ height: Centimetres, _ margin: Metres?, _ isAlerted: Bool) {
            (self.posted, self.height, self.margin, self.isAlerted) = (posted, height, margin, isAlerted)
        }

        var testDescription: String { "\(height) cm under \(posted)" }
    }

    @Test(
        "A bridge is too low for the height and the margin, compared in centimetres, each rounded to the safe side",
        arguments: [
            // 13'6" is 412 cm rounded up; with 3 in more 420. 13'9" is 419 cm rounded down, 13'10" 421.
            Fit("13'5\"", 412, nil, true), Fit("13'6\"", 412, nil, true), Fit("13'9\"", 412, nil, true),
            Fit("13'10\"", 412, nil, false), Fit("13'6\"", 412, 0, true), Fit("13'7\"", 412, 0, false),
            Fit("4.0", 400, 0, false), Fit("4.0", 401, 0, true), Fit("4.0", 392, nil, false),
            Fit("4.0", 393, nil, true),
            Fit("4.0", 399, 0.0101, true), Fit("4.0", 399, 0.01, false),
        ])
    func fit(_ fit: Fit) throws {
        let alerts = try alerted(fit.posted, HeightProfile(height: fit.height, margin: fit.margin))
        #expect(!alerts.isEmpty == fit.isAlerted)
    }

    @Test("What stands for the legal default raises nothing", arguments: ["default", "none", "no_sign"])
    func legalDefault(posted: String) throws {
        #expect(try alerted(posted, HeightProfile(height: 450)).isEmpty)
    }

    @Test("A bridge that the data calls lower than the legal default is told of, as unknown")
    func belowDefault() throws {
        let alert = try #require(try alerted("below_default", HeightProfile(height: 412)).first)
        #expect(alert.clearance.verdict == .unknown)
        #expect(alert.clearance.height == nil)
    }

    @Test("A height nobody can read is not judged", arguments: ["abc", "~4", "410"])
    func unreadable(posted: String) throws {
        #expect(try alerted(posted, HeightProfile(height: 450)).isEmpty)
    }

    @Test("The margin of the profile replaces the configured one")
    func margin() throws {
        let alert = try #require(try alerted("13'6\"", HeightProfile(height: 412, margin: 0.1)).first)
        #expect(alert.margin == 0.1)
        #expect(alert.vehicleHeight == 412)
    }

    @Test(
        "The effective height is rounded up to a centimetre",
        arguments: [
            (412, 3 * 0.0254, 420), (400, 0.0, 400), (400, 0.01, 401), (400, 0.011, 402), (400, 0.0762, 408),
            (411, 1e-4, 412),
        ])
    func rounding(height: Centimetres, margin: Metres, effective: Centimetres) {
        var settings = EngineSettings.Heights()
        (settings.assumed, settings.margin) = (height, margin)
        #expect(EffectiveHeight(assumed: settings).effective == effective)
    }

    @Test("Without a profile the assumed height and margin count, and the state says so")
    func assumed() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.drive(Journey(line: try drawing.line("aj")))
        #expect(dispatcher.alerts.first?.vehicleHeight == 412)
        #expect(dispatcher.alerts.first?.heightSource == "assumed")
        #expect(dispatcher.states.allSatisfy { $0.heightStatus == .assumed && $0.height == 412 })
    }

    @Test("A profile that tells only units leaves the height assumed")
    func unitsOnly() throws {
        let alert = try #require(try alerted("13'6\"", HeightProfile(height: nil, units: .metric)).first)
        #expect(alert.heightSource == "assumed")
        #expect(alert.text.contains(" km"))
    }

    @Test("The height is asked for after half a minute, and then once an hour")
    func asksOnceAnHour() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: nil)
        for second in stride(from: 0.0, through: 7_300, by: 10) {
            dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(second), speed: 0))
        }
        #expect(dispatcher.requests.map(\.kind) == [.heightRequired, .heightRequired, .heightRequired])
        #expect(dispatcher.requests.map(\.time.seconds) == [30, 3630, 7230])
        #expect(Set(dispatcher.requests.map(\.id)).count == 3)
    }

    @Test("A vehicle that sent one fix is asked at the end of the half minute")
    func asksByTick() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(0)))
        dispatcher.tick(29)
        #expect(dispatcher.requests.isEmpty)
        dispatcher.tick(45)
        #expect(dispatcher.requests.map(\.time.seconds) == [30])
    }

    @Test("A profile that comes within the half minute is not asked for")
    func notAsked() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(0)))
        dispatcher.tell(.profile(HeightProfile(height: 400)), at: 20)
        dispatcher.tick(3700)
        #expect(dispatcher.requests.isEmpty)
    }
}
