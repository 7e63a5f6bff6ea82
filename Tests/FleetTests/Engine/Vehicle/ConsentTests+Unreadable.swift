import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// A consent that cannot be read.
extension ConsentTests {
    private func refused(_ problem: String = "got \"revoked\"", at seconds: Seconds) -> Input {
        report(.refused(RefusedReport(.consent, problem: problem)), at: seconds)
    }

    @Test("A consent that cannot be read counts as denied until a valid one comes, and is answered at once")
    func unreadable() throws {
        let engine = engine()
        _ = engine.handle([fix(0), .tick(.at(1))])
        let effects = engine.handle([refused(at: 2), fix(3)])
        #expect(!names(effects) && effects.forgotten == [Self.address] && engine.vehicle(Self.id) == nil)
        #expect(!engine.mayBeKept(Self.id))
        #expect(effects.rejections.map(\.reason) == [.noConsent])
        #expect(effects.consentRecords.map(\.status) == [.denied])
        let answer = try #require(requests(effects).first)
        #expect(answer.kind == .consentRequired && answer.time == .at(2) && answer.text.contains("got \"revoked\""))
        #expect(engine.handle([consent(.always, at: 10), fix(11)]).fixesAccepted == 1)
    }

    @Test("So it does for a vehicle that was never heard of; an emptied topic says nothing again")
    func unreadableAtFirst() {
        let engine = engine()
        let effects = engine.handle([refused(at: 0), fix(1)])
        #expect(!names(effects) && effects.fixesAccepted == 0 && requests(effects).count == 1)
        #expect(engine.handle([report(.consent(nil), at: 2), fix(3)]).fixesAccepted == 1)
    }

    @Test("It is answered once an hour for one mistake, with later fixes too; another mistake is another answer")
    func answersOnceAnHour() {
        let engine = engine()
        var answers = [0.0, 1, 100].map { requests(engine.handle([refused(at: $0)])).count }
        answers.append(requests(engine.handle([refused("got 1", at: 101)])).count)
        answers.append(requests(engine.handle([fix(200)])).count)
        answers.append(requests(engine.handle([fix(3702), fix(3703), refused("got 1", at: 3704)])).count)
        #expect(answers == [1, 0, 0, 1, 0, 1])
        // Who goes back and forth is not answered more often.
        #expect(engine.handle([consent(.always, at: 3710), refused("got 1", at: 3711)]).transient.isEmpty)
        // Nor is it asked once it has refused in words that can be read.
        #expect(engine.handle([consent(.denied, at: 3712), fix(9000)]).transient.isEmpty)
    }

    @Test("A device that makes another mistake with every message is not answered without end")
    func answersFew() {
        let engine = engine()
        let answers = (0..<100).flatMap { requests(engine.handle([refused("got \($0)", at: Double($0))])) }
        #expect(answers.count == 8 && Set(answers.map(\.id)).count == 8)
    }

    @Test("Of a consent that cannot be read, too, the refusal outlives a restart")
    func unreadableRestart() {
        let effects = restarted(after: engine().handle([refused(at: 0)])).handle([fix(1)])
        #expect(effects.fixesAccepted == 0 && !names(effects))
    }
}
