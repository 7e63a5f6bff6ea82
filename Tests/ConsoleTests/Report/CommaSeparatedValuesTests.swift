import Reports
import Testing

@Suite("Tables as text")
struct CommaSeparatedValuesTests {
    @Test(
        "What a spreadsheet would compute gets an apostrophe, and numbers stay numbers",
        arguments: [
            ("=1+1", "'=1+1"), ("+1+1", "'+1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-2+3", "'-2+3"), ("\tx", "'\tx"),
            ("=A1,\"b\"", "\"'=A1,\"\"b\"\"\""), ("-83.75", "-83.75"), ("+4", "+4"), ("a=b", "a=b"), ("", ""),
            ("ß-x", "ß-x"),
        ])
    func formulas(field: String, written: String) {
        #expect(CommaSeparatedValues.line([field, "b"]) == "\(written),b\n")
    }

    @Test("A carriage return at the beginning is guarded and quoted")
    func carriageReturn() {
        #expect(CommaSeparatedValues.line(["\rx"]) == "\"'\rx\"\n")
    }
}
