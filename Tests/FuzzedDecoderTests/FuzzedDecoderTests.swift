import Foundation
import Testing

@testable import FuzzedDecoders

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

    @Test("A road file with a section put back as it was is that file again", arguments: RoadFileSections.decoded)
    func sections(_ section: UInt8) {
        let content = RoadFileSections.content(section)
        #expect(content.count > 1)
        #expect(RoadFileSections.file(content) == RoadFileSections.whole)
    }

    /// Each ended the program once, or filled its memory.
    private static let findings: [(decoder: FuzzedDecoder, input: String)] = [
        // A NUL in the key of a tag.
        (
            .osmBlock,
            "CkEKAAoHaGlnaHdheQoLcmVzaWRlbnRpYWwKCW1heAMAAABodAoDMy4yCgR0eXBlCgtycmV0dGNpc2lvbgoEZnJvbRIhEh8KAwICAkIL"
                + "gKqbkwOgnAGgnAFKC//WzZ4GoJwBoJwBEhEaDwgHEgIBAxoCAgRCAwICAhITIhEICRIBBRoBBkIBB0oBDlIBAQ=="
        ),
        // A way over thousands of kilometres, by a wrong coordinate; it took minutes and gigabytes.
        (
            .osmXML,
            "PG9zbSB2ZXJzaW9uPSIwLjYiPjxub2RlIGlkPSIxIiBsYXQ9IjIxLjI4IiBsb249Ii0uMzQ3OCIvPjxub2RlIGlkPSIyIiBsYXQ9IjQyLjI4MSIg"
                + "bG9uPSItODMuNzQiLz48d2F5IGlkPSI3Ij48bmQgcmVmPSIxIi8+PG5kIHJlZj0iMiIvPjx0YWcgaz0iaGlnaHdheSIgdj0icmVzaWRlbnRp"
                + "YWwiLz48dGFnIGs9Im1heGhlaWdodCIgdj0iMTAnNiZxdW90OyIvPjwvd2F5Pjwvb3NtPg=="
        ),
        // A way without nodes, of which the base map asked whether its ends are one.
        (
            .osmXML,
            "PG9zbSB2ZXJzaW9uPSIwLjYiPjxub2RlIGlkPSIxIiBsYXQ9IjQyLjI4IiBsb249Ii04My43NCIvPjxub2RlIGlkPSIyIiBsYXQ9IjQyLjI4"
                + "MSIgbG9uPSItODMuNzQiLz48d2F5IGlkPSI2Ii8+PHdheSBpZD0iNyI+PG5kIHJlZj0iMSIvPjxuZCByZWY9IjIiLz48dGFnIGs9ImhpZ2h3"
                + "YXkiIHY9InJlc2lkZW50aWFsIi8+PC93YXk+PC9vc20+"
        ),
        // A clearance in a road file whose position is no number.
        (
            .roadFile,
            "FQAAAAAAAAAAAgAAAAAAAAAAAAQAAADz////AAAAfgAAAAcAAoAAAqqbkwP/1i6eCQACAAAAAAAAAHoAaG1heGhlaTkBAGVpZ3h0AwVK/////////wEW"
                + "zi01MAA="
        ),
        // Counts that were added to 2³² − 1 times.
        (.hazardHistory, "Af////8PAQEAAQAA"),
        // The highest number that a message to another gateway can have.
        (
            .gatewayMessage,
            "YnBsaXN0MDDSAQIDBFRmcm9tV21lc3NhZ2VVbm9ydGjRBQZUcGFydNIHCAkTUl8wVm51bWJlctUKCwwNDg8QERESV2VudHJpZXNVZXBv"
                + "Y2hXaXNGaXJzdFZpc0xhc3RVc2hhcmSgEAEJEAAUAAAAAAAAAAD//////////wgNEhogIygtMDdCSlBYX2VmaGlrAAAAAAAAAQEAAAAA"
                + "AAAAFAAAAAAAAAAAAAAAAAAAAHw="
        ),
    ]

    @Test("What once ended a decoder is survived", arguments: findings.indices)
    func regressions(_ index: Int) throws {
        let (decoder, input) = Self.findings[index]
        try DecoderDriver(decoder).decode(Array(#require(Data(base64Encoded: input))))
    }
}
