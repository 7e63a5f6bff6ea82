import Fleet
import Messages
import Testing

@testable import Gateway

@Suite("The newest messages")
struct LiveMessagesTests {
    private func message(_ text: String, of vehicle: String = "T1") -> (LiveMessage.Kind, VehicleID, [UInt8]) {
        (.event, VehicleID(vehicle)!, Array(text.utf8))
    }

    private func texts(_ messages: [LiveMessage]?) -> [String]? {
        messages?.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test("Numbers count up from 1, and who knows one hears what came after it")
    func numbers() {
        let messages = LiveMessages()
        #expect(messages.newest == 0 && texts(messages.after(0)) == [])
        messages.add([message("a"), message("b")])
        messages.add([])
        messages.add([message("c")])
        #expect(messages.newest == 3)
        #expect(messages.after(0)?.map(\.number) == [1, 2, 3])
        #expect(texts(messages.after(1)) == ["b", "c"])
        #expect(texts(messages.after(3)) == [])
        #expect(messages.after(4) == nil)
    }

    @Test("What is here no longer cannot be gone on after, and what is can")
    func ring() {
        let messages = LiveMessages()
        for index in 0..<LiveMessages.countMax + 10 { messages.add([message("\(index)")]) }
        #expect(messages.after(9) == nil)
        #expect(messages.after(10)?.count == LiveMessages.countMax)
        #expect(texts(messages.after(10))?.first == "10")
    }

    @Test("Large messages are kept as long as there is room for their bytes; what is forgotten takes none")
    func bytes() throws {
        let messages = LiveMessages()
        let large = String(repeating: "x", count: 1 << 20)
        for _ in 0..<20 { messages.add([message(large)]) }
        #expect(messages.after(12)?.count == LiveMessages.bytesMax >> 20)
        #expect(messages.after(11) == nil)
        messages.forget(try #require(VehicleID("T1")))
        for _ in 0..<8 { messages.add([message(large, of: "T2")]) }
        #expect(messages.after(12)?.count == 16)
        messages.add([message(large, of: "T2")])
        #expect(messages.newest == 29 && messages.after(21)?.count == 8 && messages.after(20) == nil)
    }

    @Test("What was said of a vehicle that is forgotten is empty, and keeps its number")
    func forget() throws {
        let messages = LiveMessages()
        messages.add([message("a", of: "T1"), message("b", of: "T2"), message("c", of: "T1")])
        messages.forget(try #require(VehicleID("T1")))
        #expect(texts(messages.after(0)) == ["", "b", ""])
        #expect(messages.after(0)?.map(\.number) == [1, 2, 3])
        messages.add([message("d", of: "T1")])
        #expect(texts(messages.after(2)) == ["", "d"])
    }

    @Test("News come once for many, to all who listen, and to nobody who has gone", .timeLimit(.minutes(5)))
    func news() async {
        let messages = LiveMessages()
        var first = messages.news().makeAsyncIterator()
        do {
            var second = messages.news().makeAsyncIterator()
            messages.add([message("a")])
            messages.add([message("b")])
            #expect(await second.next() != nil)
        }
        #expect(await first.next() != nil)
        messages.add([message("c")])
        #expect(await first.next() != nil)
        #expect(messages.newest == 3)
    }
}
