import Fleet
import Messages
import Testing

@testable import Gateway

/// What is asked of a broker topic by topic, and in which order.
struct RetainedInquiryTests {
    private func vehicle(_ text: String) throws -> VehicleID { try #require(VehicleID(text)) }

    private func inquiry(answeredMax: Int = 100) -> RetainedInquiry {
        RetainedInquiry(batchMax: 4, answeredMax: answeredMax)
    }

    @Test("A vehicle whose fix waits is asked about before all others, once")
    func urgent() throws {
        var inquiry = inquiry()
        inquiry.ask(["a/1", "a/2", "a/3"], of: try vehicle("A"))
        inquiry.ask(["b/1", "b/2"], of: try vehicle("B"))
        inquiry.askSoon(["c/1", "c/2"], of: try vehicle("C"))
        inquiry.askSoon(["c/1", "c/2"], of: try vehicle("C"))
        #expect(inquiry.next() == ["c/1", "c/2"])
        #expect(!inquiry.isAnswered(try vehicle("C")))
        #expect(inquiry.finish() == [try vehicle("C")])
        #expect(inquiry.isAnswered(try vehicle("C")))
        #expect(inquiry.next() == ["a/1", "a/2", "a/3"])
        #expect(!inquiry.isReviewDone)
        #expect(inquiry.finish() == [try vehicle("A")])
        #expect(inquiry.next() == ["b/1", "b/2"])
        #expect(inquiry.finish() == [try vehicle("B")])
        #expect(inquiry.isReviewDone && inquiry.next().isEmpty)
    }

    @Test("What a fix does not wait for is asked after what other vehicles' fixes wait for")
    func later() throws {
        var inquiry = inquiry()
        inquiry.askSoon(["a/1", "a/2"], later: ["a/3", "a/4"], of: try vehicle("A"))
        inquiry.askSoon(["b/1", "b/2"], later: ["b/3"], of: try vehicle("B"))
        #expect(inquiry.next() == ["a/1", "a/2", "b/1", "b/2"])
        let answered = inquiry.finish()
        #expect(answered.map(\.text) == ["A", "B"])
        #expect(inquiry.next() == ["a/3", "a/4", "b/3"])
        #expect(inquiry.finish().isEmpty && inquiry.isReviewDone)
    }

    @Test("A vehicle of more topics than a batch takes is answered with its last batch")
    func split() throws {
        var inquiry = inquiry()
        inquiry.ask((1...6).map { "a/\($0)" }, of: try vehicle("A"))
        #expect(inquiry.next() == ["a/1", "a/2", "a/3", "a/4"])
        #expect(inquiry.finish() == [])
        #expect(inquiry.next() == ["a/5", "a/6"])
        #expect(inquiry.finish() == [try vehicle("A")])
    }

    @Test("What was answered on demand is not asked again by the review; what a lost connection interrupted is")
    func again() throws {
        var inquiry = inquiry()
        inquiry.ask(["f"], of: nil)
        inquiry.ask(["a/1"], of: try vehicle("A"))
        inquiry.ask(["b/1"], of: try vehicle("B"))
        inquiry.askSoon(["b/1"], of: try vehicle("B"))
        #expect(inquiry.next() == ["b/1", "f", "a/1", "b/1"])
        inquiry.askAgain()
        #expect(inquiry.next() == ["b/1", "f", "a/1", "b/1"])
        _ = inquiry.finish()
        #expect(inquiry.isReviewDone)
        inquiry.ask(["a/1"], of: try vehicle("A"))
        #expect(inquiry.next().isEmpty && inquiry.isReviewDone)
    }

    @Test("Names that somebody makes up do not fill the memory: at the limit all are asked about again")
    func limit() throws {
        var inquiry = inquiry(answeredMax: 2)
        inquiry.note(answeredFor: [try vehicle("A"), try vehicle("B")])
        #expect(inquiry.isAnswered(try vehicle("A")))
        inquiry.note(answeredFor: [try vehicle("C")])
        #expect(!inquiry.isAnswered(try vehicle("A")))
        #expect(inquiry.isAnswered(try vehicle("C")))
    }

    @Test("A vehicle that was forgotten is asked about anew")
    func forgotten() throws {
        var inquiry = inquiry()
        inquiry.askSoon(["a/1"], of: try vehicle("A"))
        inquiry.forget(try vehicle("A"))
        #expect(inquiry.next().isEmpty)
        inquiry.askSoon(["a/1"], of: try vehicle("A"))
        #expect(inquiry.next() == ["a/1"])
    }
}
