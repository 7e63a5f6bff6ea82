import Foundation
import FuzzedDecoders
import Testing

/// What `Tests/Fuzzing/run` does at length.
struct FuzzedDecoderTests {
    @Test("Every decoder takes its seeds and mutations of them, and comes back", arguments: FuzzedDecoder.allCases)
    func mutations(_ decoder: FuzzedDecoder) throws {
        let driver = try DecoderDriver(decoder)
        let seeds = decoder.seeds
        #expect(!seeds.isEmpty && seeds.allSatisfy { !$0.isEmpty })
        for (number, seed) in seeds.enumerated() {
            driver.decode(seed)
            var mutation = Mutation(seed: UInt64(number))
            for _ in 0..<(400 / seeds.count) { driver.decode(mutation.mutated(seed)) }
        }
    }

    /// Each ended the program once.
    private static let findings: [(decoder: FuzzedDecoder, input: String)] = [
        // A NUL in the key of a tag.
        (
            .osmBlock,
            "CkEKAAoHaGlnaHdheQoLcmVzaWRlbnRpYWwKCW1heAMAAABodAoDMy4yCgR0eXBlCgtycmV0dGNpc2lvbgoEZnJvbRIhEh8KAwICAkIL"
                + "gKqbkwOgnAGgnAFKC//WzZ4GoJwBoJwBEhEaDwgHEgIBAxoCAgRCAwICAhITIhEICRIBBRoBBkIBB0oBDlIBAQ=="
        )
    ]

    @Test("What once ended a decoder is survived", arguments: findings.indices)
    func regressions(_ index: Int) throws {
        let (decoder, input) = Self.findings[index]
        try DecoderDriver(decoder).decode(Array(#require(Data(base64Encoded: input))))
    }
}
