import Testing

@testable import Wire

@Suite struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.object(body), as: UTF8.self)
    }

    @Test(
        "Numbers are rounded to their decimals, keep one, and carry no further zeros",
        arguments: [
            (2350.04, 1, "2350.0"), (2350.06, 1, "2350.1"), (0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"),
            (0.05, 1, "0.1"), (-410.25, 1, "-410.3"), (42.280_597, 7, "42.280597"), (-83.7, 7, "-83.7"),
            (0.000_000_04, 7, "0.0"), (0.000_000_06, 7, "0.0000001"), (180, 7, "180.0"), (1e300, 1, "1e+300"),
            (.nan, 1, "null"), (.infinity, 1, "null"),
        ])
    func numbers(value: Double, decimals: Int, expected: String) {
        #expect(written { $0.member("n", value, decimals: decimals) } == "{\"n\":\(expected)}")
    }

    @Test(
        "Centimetres become metres digit by digit",
        arguments: [(412, "4.12"), (320, "3.2"), (400, "4.0"), (7, "0.07"), (-7, "-0.07")])
    func centimetres(value: Int, expected: String) {
        #expect(written { $0.height("h", value) } == "{\"h\":\(expected)}")
    }

    @Test("Commas stand between members and elements, and nowhere else")
    func structure() {
        let text = written { writer in
            writer.member("a", 1)
            writer.member("b") { _ in }
            writer.member("c", each: [[1, 2], []]) { writer, row in writer.array(row) { $0.integer($1) } }
            writer.member("d") { $0.member("e", true) }
            writer.member("f", nil as String?)
        }
        #expect(text == #"{"a":1,"b":{},"c":[[1,2],[]],"d":{"e":true},"f":null}"#)
    }

    @Test("Quotes, backslashes and control characters are escaped, and all else stands as it is")
    func escapes() {
        let text = written { $0.member("t", "10'6\" \\ / \n\t\r\u{8}\u{C}\u{1}\u{1F}\u{7F} é 🚚\u{2028}") }
        #expect(text == #"{"t":"10'6\" \\ / \n\t\r\b\f\u0001\u001f"# + "\u{7F} é 🚚\u{2028}\"}")
    }

    @Test("Every text below U+0300 comes back as it was written")
    func roundTrip() throws {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
        let back = try JSONParser().read(JSONWriter.object { $0.member("t", text) }) { $0["t"]?.string }
        #expect(back == text)
    }
}
