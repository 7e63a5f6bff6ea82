import Testing

@testable import Broker

struct SilenceTests {
    private let start = ContinuousClock.now

    @Test("A broker is asked after 2 s of silence, once, and given up 5 s later")
    func silent() {
        var silence = Silence(since: start)
        #expect(silence.step(at: start + .milliseconds(1_999)) == nil)
        #expect(silence.step(at: start + .seconds(2)) == .ask)
        #expect(silence.step(at: start + .milliseconds(6_999)) == nil)
        #expect(silence.step(at: start + .seconds(7)) == .giveUp)
    }

    @Test("Whatever comes ends the silence")
    func answer() {
        var silence = Silence(since: start)
        #expect(silence.step(at: start + .seconds(2)) == .ask)
        silence.heard(at: start + .seconds(3))
        #expect(silence.step(at: start + .milliseconds(4_999)) == nil)
        #expect(silence.step(at: start + .seconds(5)) == .ask)
    }

    @Test("Who has not looked for a minute asks before giving up")
    func busy() {
        var silence = Silence(since: start)
        #expect(silence.step(at: start + .seconds(60)) == .ask)
        #expect(silence.step(at: start + .seconds(61)) == nil)
    }
}
