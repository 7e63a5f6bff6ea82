import Hashing
import Roads
import Testing

@Suite("Values by edge")
struct EdgeMapTests {
    @Test("A map answers as a dictionary does, of few keys and of many, near each other and far apart")
    func answersAsADictionary() {
        for (spread, count) in [(16, 40), (100, 100), (5_000, 4_000), (1 << 32, 4_000)] {
            var random = SplitMix64(seed: UInt64(spread))
            func edge() -> EdgeID { EdgeID(UInt32(random.next() % UInt64(spread))) }
            var (map, dictionary): (EdgeMap<Int>, [EdgeID: Int]) = (EdgeMap(), [:])
            for value in 0..<count {
                let edge = edge()
                #expect(map.set(edge, value) == (dictionary.updateValue(value, forKey: edge) == nil))
            }
            for edge in dictionary.keys + (0..<count).map({ _ in edge() }) { #expect(map[edge] == dictionary[edge]) }
            #expect(Dictionary(uniqueKeysWithValues: map.map { ($0, $1) }) == dictionary)
        }
    }

    @Test("Keys stay in the order in which they were first set")
    func keepsOrder() {
        var map = EdgeMap<Int>()
        let edges = (0..<100).map { EdgeID(UInt32($0 * 7 % 101)) }
        for edge in edges + edges.reversed() { map.set(edge, Int(edge.index)) }
        #expect(map.keys == edges)
        #expect(map.map(\.1) == edges.map { Int($0.index) })
    }

    @Test("Maps of equal dictionaries are equal, and one of others is not")
    func comparesByContent() {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<50).map { (EdgeID(UInt32($0)), $0) })
        #expect(EdgeMap(dictionary) == EdgeMap(dictionary.filter { _ in true }))
        #expect(EdgeMap(dictionary) != EdgeMap(dictionary.filter { $0.value != 7 }))
    }
}
