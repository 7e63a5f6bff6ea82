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
}
