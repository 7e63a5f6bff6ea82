import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct JSONParserTests {
    private let parser = JSONParser()

    private func read<Result>(
        _ text: String, _ body: (JSONValue) throws(InputError) -> Result
    ) throws(InputError) -> Result {
        try parser.read(Array(text.utf8), body)
    }

    @Test("Values are read by type, and no other")
    func types() throws {
        try read(#"{"b":true,"i":-3,"u":18446744073709551615,"d":2.5,"w":2.0,"s":"aé\u00e9\n","n":null}"#) { root in
            #expect(root["b"]?.bool == true)
            #expect(root["b"]?.double == nil)
            #expect(root["i"]?.integer == -3)
            #expect(root["i"]?.double == -3)
            #expect(root["u"]?.integer == nil)
            #expect(root["u"]?.double == 0x1p64)
            #expect(root["d"]?.double == 2.5)
            #expect(root["d"]?.integer == nil)
            #expect(root["w"]?.integer == 2)
            #expect(root["s"]?.string == "aéé\n")
            #expect(root["s"]?.integer == nil)
            #expect(root["n"] == nil)
            #expect(root["absent"] == nil)
        }
    }

    @Test("Arrays and objects are walked in order")
    func iteration() throws {
        try read(#"{"a":[1,[2],3],"o":{"x":1,"y":{"z":2},"x":3},"e":[]}"#) { root in
            #expect(root["a"]?.elements?.map(\.double) == [1, nil, 3])
            #expect(root["o"]?.members?.map(\.name) == ["x", "y", "x"])
            #expect(root["e"]?.elements?.map(\.double) == [])
            #expect(root["e"]?.members == nil)
            #expect(root.elements == nil)
        }
    }

    @Test("Of two members with one name the first counts")
    func duplicates() throws {
        try read(#"{"a":1,"a":2}"#) { #expect($0["a"]?.integer == 1) }
    }

    @Test(
        "What is no JSON is malformed",
        arguments: [
            "", " ", "{", "}", "nul", "NaN", "Infinity", "[NaN]", "{\"a\":01}", "[1,]", "{\"a\":1,}", "1 2", "'a'",
            "[1e400]", "[123456789012345678901234567890]", "\"a\nb\"", "\"\\x\"", "\"open", "\u{FEFF}{}",
        ])
    func malformed(text: String) {
        #expect(throws: InputError.malformedJSON) { try read(text) { _ in } }
        #expect(parser.problem != nil || text.hasPrefix("\u{FEFF}"))
    }

    @Test("Brackets nested 10,000 deep are an error, not a crash; 60 are fine")
    func depth() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = String(repeating: open, count: 10_000) + "1" + String(repeating: close, count: 10_000)
            #expect(throws: InputError.malformedJSON) { try read(deep) { _ in } }
            #expect(throws: InputError.malformedJSON) { try read(String(repeating: open, count: 10_000)) { _ in } }
            try read(String(repeating: open, count: 60) + "1" + String(repeating: close, count: 60)) { _ in }
        }
    }

    @Test(
        "Bytes that are no UTF-8 are told apart",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xC0, 0x80]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: InputError.invalidUTF8) { try parser.read(bytes) { _ in } }
    }

    @Test("A lone surrogate in an escape is malformed or replaced, never an invalid string")
    func loneSurrogates() {
        for escape in ["\\ud800", "\\udc00", "\\ud800\\ud800"] {
            let string = try? read("\"\(escape)\"") { $0.string ?? "" }
            #expect(string == nil || string!.contains("\u{FFFD}"))
        }
    }

    @Test("Documents beyond the capacity are too large, and the parser goes on after an error")
    func capacity() throws {
        let small = JSONParser(capacity: 64)
        #expect(throws: InputError.tooLarge) { try small.read(Array(repeating: 0x20, count: 65)) { _ in } }
        #expect(try small.read(Array("[1]".utf8)) { $0.elements?.map(\.double) } == [1])
        #expect(small.problem == nil)
    }
}
