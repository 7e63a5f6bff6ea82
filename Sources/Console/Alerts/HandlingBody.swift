import Foundation
import HTTPTypes
import Hummingbird
import Messages

/// What a dispatcher says about an alert.
struct HandlingBody {
    /// Of a name, in characters.
    static let nameMax = 100
    /// Of a note, in characters: a card shows it in full.
    static let noteMax = 500

    private struct Members: Decodable {
        enum Status: String, Decodable { case taken, closed }

        var status: Status
        var by: String
        var note: String?
    }

    let status: Handling.Status
    let by: String
    let note: String?

    /// - Throws: 413 beyond the console's limit, else 422.
    init(_ request: Request, _ context: ConsoleContext) async throws {
        guard let members = try await request.json(Members.self, context) else {
            throw HTTPError.unprocessable(
                """
                Expected {"status": "taken" or "closed", "by": the name of who sees to the alert, "note": text or null}, \
                got another body.
                """)
        }
        status = members.status == .taken ? .taken : .closed
        by = try Self.text(members.by, "by", atMost: Self.nameMax)
        guard !by.isEmpty else { throw HTTPError.unprocessable("Expected a name in by, got none.") }
        let text = try members.note.map { note throws(HTTPError) in try Self.text(note, "note", atMost: Self.noteMax) }
        note = text == "" ? nil : text
    }

    private static func text(_ text: String, _ name: String, atMost count: Int) throws(HTTPError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.count <= count else {
            throw .unprocessable("Expected \(name) with at most \(count) characters, got \(trimmed.count).")
        }
        guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .unprocessable("Expected \(name) without control characters and line ends, got one with them.")
        }
        return trimmed
    }
}
