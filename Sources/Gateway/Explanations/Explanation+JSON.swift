package import Fleet
import Foundation
import Messages
import Wire

extension Explanation {
    /// What an explanation of the API was worked out from.
    package enum Basis: String, Sendable, Encodable {
        /// The vehicle as it stands.
        case present
        /// Its kept track up to that time.
        case track
    }

    /// One line of JSON: with its time as every message has it, and its words as `text`.
    package func json(basis: Basis? = nil) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        guard let data = try? encoder.encode(ExplanationLine(explanation: self, basis: basis)) else {
            preconditionFailure("finite numbers and texts can always be encoded")
        }
        return Array(data)
    }
}

private struct ExplanationLine: Encodable {
    private enum Key: CodingKey {
        case time, text, basis
    }

    let explanation: Explanation
    let basis: Explanation.Basis?

    func encode(to encoder: any Encoder) throws {
        try explanation.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(RFC3339.text(explanation.time), forKey: .time)
        try container.encode(explanation.words, forKey: .text)
        try container.encodeIfPresent(basis, forKey: .basis)
    }
}
