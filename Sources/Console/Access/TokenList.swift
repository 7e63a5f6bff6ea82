import Foundation
import Wire

/// What the bearer of a token may do.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads.
    case viewer
    /// Reads and changes.
    case editor

    package static func < (a: Role, b: Role) -> Bool { a == .viewer && b == .editor }
}

/// The tokens that open the console, read from a file of lines
///
///     # who has it, and until when
///     viewer 4fJxkq0Rr1w
///     editor uK7-93hMZeQ Dispatch, night shift
///
/// A line is a role, a token and, if wanted, the name of who has it, with white space between; an empty line, and what follows a
/// `#` at the start of a line or after white space, is for people. A token is any visible ASCII; `openssl rand -hex 32` makes a
/// good one.
struct TokenList: Sendable {
    /// Who has a token.
    struct Bearer: Equatable, Sendable {
        var role: Role
        /// As it stands beside what the bearer takes, notes and enters; nil: the list has none.
        var name: String?
    }

    private struct Entry: Sendable {
        var bearer: Bearer
        var token: [UInt8]
    }

    private let entries: [Entry]

    /// - Throws: `ConsoleSettingsError` where the file cannot be read, a line cannot be understood, a token stands
    ///   there twice, or there is none.
    init(file: String) throws(ConsoleSettingsError) {
        let text: String
        do {
            text = try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw .tokensUnreadable(file: file)
        }
        try self.init(text: text, file: file)
    }

    init(text: String, file: String) throws(ConsoleSettingsError) {
        var entries: [Entry] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard let entry = try Self.entry(String(line), file: file, line: index + 1) else { continue }
            guard !entries.contains(where: { $0.token == entry.token }) else {
                throw .tokensLine(
                    file: file, line: index + 1, problem: "expected each token once, got one that is in an earlier line"
                )
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else { throw .tokensEmpty(file: file) }
        self.entries = entries
    }

    private static func entry(_ line: String, file: String, line number: Int) throws(ConsoleSettingsError) -> Entry? {
        let words = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
        guard let first = words.first else { return nil }
        guard words.count >= 2, let role = Role(rawValue: String(first)) else {
            let problem = "expected `viewer TOKEN [NAME]` or `editor TOKEN [NAME]`"
            throw .tokensLine(file: file, line: number, problem: problem)
        }
        let token = [UInt8](words[1].utf8)
        guard token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .tokensLine(file: file, line: number, problem: "expected a token of visible ASCII")
        }
        let name = words.dropFirst(2).joined(separator: " ")
        guard name.count <= WireLimits.nameCharacters else {
            throw .tokensLine(
                file: file, line: number,
                problem: "expected a name of at most \(WireLimits.nameCharacters) characters, got \(name.count)")
        }
        return Entry(bearer: Bearer(role: role, name: name.isEmpty ? nil : name), token: token)
    }

    /// Who has `token`; nil where nobody has it.
    ///
    /// Compares with every entry to the last byte: the time taken tells the length of what was presented, and
    /// nothing of what is in the list.
    func bearer(of token: String) -> Bearer? {
        let presented = [UInt8](token.utf8)
        return entries.reduce(into: nil) { found, entry in
            if isEqualInConstantTime(presented, entry.token) { found = entry.bearer }
        }
    }
}

/// Whether both are the same, in a time that depends on `presented.count` alone; `secret` must not be empty.
func isEqualInConstantTime(_ presented: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = presented.count ^ secret.count
    for index in presented.indices {
        difference |= Int(presented[index] ^ secret[index % secret.count])
    }
    return difference == 0
}
