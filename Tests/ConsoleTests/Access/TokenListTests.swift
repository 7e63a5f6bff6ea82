import Testing

@testable import Console

@Suite("Tokens file")
struct TokenListTests {
    @Test(
        "a line is a role, a token and perhaps a name; comments and empty lines are for people",
        arguments: [
            ("viewer abc", Role.viewer), ("editor abc", .editor), ("  viewer\tabc  ", .viewer),
            ("# viewer xyz\n\nviewer abc", .viewer), ("viewer abc # dispatch", .viewer),
            ("viewer abc\r\neditor xyz\r\n", .viewer), ("editor xyz\nviewer abc", .viewer),
        ])
    func lines(text: String, role: Role) throws {
        #expect(try TokenList(text: text, file: "tokens").bearer(of: "abc") == TokenList.Bearer(role: role))
    }

    @Test(
        "what follows the token is the name of who has it",
        arguments: [
            ("editor abc Night shift", "Night shift"), ("editor abc  Desk\t2  # until May", "Desk 2"),
            ("viewer xyz Other\neditor abc Müller", "Müller"),
            ("editor abc \(String(repeating: "n", count: 64))", String(repeating: "n", count: 64)),
        ])
    func names(text: String, name: String) throws {
        #expect(try TokenList(text: text, file: "tokens").bearer(of: "abc")?.name == name)
    }

    @Test("a # within a token is part of it")
    func hash() throws {
        #expect(try TokenList(text: "viewer a#c", file: "tokens").bearer(of: "a#c")?.role == .viewer)
    }

    @Test(
        "a line that says something else is an error with its number",
        arguments: [
            ("viewer", 1), ("viewer abc \(String(repeating: "n", count: 65))", 1), ("# ok\nadmin abc", 2),
            ("viewer abc\nabc", 2),
            ("viewer abc\n\neditor abc", 3), ("Viewer abc", 1), ("viewer äbc", 1), ("viewer # abc", 1),
            ("viewer abc\r\nadmin x\r\n", 2),
        ])
    func malformed(text: String, line: Int) throws {
        let error = #expect(throws: ConsoleSettingsError.self) { try TokenList(text: text, file: "tokens") }
        guard case .tokensLine("tokens", line, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.hasPrefix("tokens:\(line): ") == true)
    }

    @Test("an error never shows a token")
    func secrecy() throws {
        let error = #expect(throws: ConsoleSettingsError.self) {
            try TokenList(text: "viewer s3cret\neditor s3cret", file: "tokens")
        }
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("a file without a token is an error", arguments: ["", "\n", "# viewer abc\n"])
    func empty(text: String) {
        #expect(throws: ConsoleSettingsError.tokensEmpty(file: "tokens")) { try TokenList(text: text, file: "tokens") }
    }

    @Test(
        "tokens are the same only in every byte and in length",
        arguments: [
            ("abc", "abc", true), ("abd", "abc", false), ("ab", "abc", false), ("abcd", "abc", false),
            ("abcabc", "abc", false), ("", "abc", false), ("ABC", "abc", false),
        ])
    func comparison(presented: String, secret: String, same: Bool) {
        #expect(isEqualInConstantTime(Array(presented.utf8), Array(secret.utf8)) == same)
    }
}
