import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Which height counts, on whose word, and what a change of it does to alerts.
struct HeightTests {
    private func alerted(_ posted: String, _ profile: HeightProfile?) throws -> [AlertMessage] {
        let drawing = try Drawing.bridge(posted)
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(profile), at: -60)
        dispatcher.drive(Journey(line: try drawing.line("aj")))
        return dispatcher.alerts
    }

    // MARK: What is too low

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

    // MARK: Nobody has said anything

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

    // MARK: A profile is refused

    private static let flat = RefusedReport(.profile, problem: "no road vehicle has this height, got 0")

    @Test("A profile that is refused is answered at once, and the last good height stays")
    func refused() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: 380)
        dispatcher.tell(.refused(Self.flat), at: 0)
        let request = try #require(dispatcher.requests.first)
        #expect(request.kind == .heightStale && request.time == .at(0))
        #expect(
            request.text == """
                The height profile is not used: no road vehicle has this height, got 0. In force, without the margin: \
                12'6" (driver).
                """)
        #expect(dispatcher.kept?.profile?.height == 380)
        #expect(dispatcher.states.last?.height == 380 && dispatcher.states.last?.heightStatus == .ok)
    }

    @Test("Where no height is known, the assumed one holds; it is asked for by the same answer, and not twice")
    func refusedAtFirst() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.refused(Self.flat), at: 0)
        for second in stride(from: 1.0, through: 3599, by: 30) {
            dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(second), speed: 0))
        }
        #expect(dispatcher.requests.map(\.kind) == [.heightRequired])
        #expect(dispatcher.requests[0].text.hasSuffix("In force, without the margin: 13'6\" (assumed)."))
        #expect(dispatcher.states.last?.heightStatus == .assumed)
        dispatcher.tick(3601)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(3602), speed: 0))
        #expect(dispatcher.requests.map(\.kind) == [.heightRequired, .heightRequired])
    }

    @Test("After one that has run out, the larger height holds and the answer says so, in the vehicle's units")
    func refusedStale() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 430, source: "driver", validFor: 60, units: .metric)), at: 0)
        dispatcher.tell(.refused(Self.flat), at: 100)
        #expect(dispatcher.requests.map(\.kind) == [.heightStale])
        #expect(dispatcher.requests[0].text.hasSuffix(": 4.30 m (driver, out of date)."))
    }

    @Test("One mistake is answered once an hour, over a restart too; another one is another answer")
    func refusedAgain() throws {
        let network = try Drawing.bridge().network
        let first = Dispatcher(network, height: 380)
        for second in [0.0, 10, 20] { first.tell(.refused(Self.flat), at: second) }
        first.tell(.refused(RefusedReport(.profile, problem: "got \"tall\"")), at: 30)
        #expect(first.requests.map(\.time.seconds) == [0, 30])
        #expect(Set(first.requests.map(\.id)).count == 2)
        let second = Dispatcher(network, height: nil)
        second.engine.restore(try #require(first.kept).roundTripped())
        for seconds in [40.0, 3599, 3600] { second.tell(.refused(Self.flat), at: seconds) }
        #expect(second.requests.map(\.time.seconds) == [3600])
    }

    @Test("Of a vehicle that does not consent a refused profile is told to nobody")
    func refusedWithheld() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let effects = engine.handle([
            .report(.consent(Consent(.denied)), from: Dispatcher.truck, receivedAt: .at(0)),
            .report(.refused(Self.flat), from: Dispatcher.truck, receivedAt: .at(1)),
        ])
        #expect(effects.envelopes.isEmpty && effects.transient.isEmpty && effects.changed.isEmpty)
    }

    // MARK: A profile runs out

    @Test(
        "Past its validity the larger of the last and the assumed height counts, and the driver is asked again",
        arguments: [
            (390, 412), (430, 430),
        ])
    func stale(told: Centimetres, counted: Centimetres) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: told, source: "driver", validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(50)))
        #expect(dispatcher.states.last?.heightStatus == .ok)
        #expect(dispatcher.states.last?.height == told)
        dispatcher.tick(105)
        #expect(dispatcher.states.last?.heightStatus == .stale)
        #expect(dispatcher.states.last?.height == counted)
        #expect(dispatcher.states.last?.time == .at(100))
        #expect(dispatcher.requests.map(\.kind) == [.heightStale])
        #expect(dispatcher.requests.map(\.time.seconds) == [100])
    }

    @Test("Validity counts from when the height was measured, where the profile says so")
    func measuredAt() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, measuredAt: .at(-90), validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(5)))
        #expect(dispatcher.states.last?.heightStatus == .ok)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(15)))
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A profile that runs out and a position that goes stale are both told of, each at its own time")
    func staleTwice() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(90)))
        for second in stride(from: 95.0, through: 200, by: 5) { dispatcher.tick(second) }
        let stale = dispatcher.states.filter { $0.time == .at(100) || $0.time > .at(120) }
        #expect(stale.map(\.time.seconds) == [100, 150])
        #expect(stale.map(\.heightStatus) == [.stale, .stale])
        #expect(stale.map(\.blind) == [[], [.stalePosition]])
    }

    @Test("A height that runs out on the road raises what the assumed one does not fit under")
    func staleOnTheRoad() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, validFor: 135)), at: 0)
        for fix in Journey(line: try drawing.line("aj")).fixes {
            dispatcher.fix(fix)
            dispatcher.tick(fix.time.seconds + 9)
        }
        // In reach since 110 s; the profile ends between two fixes.
        #expect(dispatcher.log == ["135 ahead", "180 detour"])
    }

    // MARK: A profile changes

    @Test("A raised height is judged at once, by the newest fix")
    func raised() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 390)
        let fixes = Journey(line: try drawing.line("aj")).fixes
        for fix in fixes.prefix(15) { dispatcher.fix(fix) }
        #expect(dispatcher.alerts.isEmpty)
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "dispatch")), at: 143)
        #expect(dispatcher.log == ["143 ahead"])
        #expect(dispatcher.alerts.first?.heightSource == "dispatch")
    }

    @Test("A lowered height ends what the vehicle now fits under, at once")
    func lowered() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        for fix in Journey(line: try drawing.line("aj")).fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 390)), at: 143)
        #expect(dispatcher.log == ["110 ahead", "143 cleared"])
        #expect(dispatcher.alerts.last?.reason == .profileChanged)
        #expect(dispatcher.states.last?.alerts.isEmpty == true)
    }

    @Test("A lowered height ends an alert of a truck that has been silent for minutes, too")
    func loweredWhileSilent() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        for fix in Journey(line: try drawing.line("aj")).fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 390)), at: 500)
        #expect(dispatcher.log == ["110 ahead", "500 cleared"])
        #expect(dispatcher.alerts.last?.reason == .profileChanged)
    }

    @Test("A height changed between two that fit under the same bridges goes on with the same alert")
    func sameHazards() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        let fixes = Journey(line: try drawing.line("az")).fixes
        for fix in fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 430)), at: 143)
        for fix in fixes.dropFirst(15) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(Set(dispatcher.alerts.map(\.id)).count == 1)
        #expect(dispatcher.alerts.map(\.vehicleHeight) == [412, 430, 430, 430])
    }

    @Test("An unchanged profile delivered again changes nothing, and does not extend its validity")
    func unchanged() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: nil)
        let profile = HeightProfile(height: 412, validFor: 100)
        dispatcher.tell(.profile(profile), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(40)))
        let said = dispatcher.envelopes
        dispatcher.tell(.profile(profile), at: 50)
        #expect(dispatcher.envelopes == said)
        dispatcher.tick(101)
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A removed profile leaves the assumed height")
    func removed() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: 390)
        dispatcher.tell(.profile(nil), at: 10)
        #expect(dispatcher.states.map(\.heightStatus) == [.ok, .assumed])
        #expect(dispatcher.states.map(\.height) == [390, 412])
    }
}
