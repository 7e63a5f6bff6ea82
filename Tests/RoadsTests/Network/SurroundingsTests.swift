import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

@Suite("Roads found among a vehicle's surroundings are those that the whole map has there")
struct SurroundingsTests {
    /// Blocks of 50 m, and a bent road through them.
    private static func drawing(shift: Int) -> String {
        var lines: [String] = []
        for row in 0..<8 {
            for column in 0..<8 { lines.append("n\(row)x\(column) \(50 * column + shift) \(50 * row)") }
        }
        lines.append("p 10 20\nq 120 30\nr 130 290\ns 340 330")
        for row in 0..<8 {
            let (along, across) = ((0..<8).map { "n\(row)x\($0)" }, (0..<8).map { "n\($0)x\(row)" })
            lines.append("\(along.joined(separator: "-")) residential")
            lines.append("\(across.joined(separator: "-")) residential oneway=yes")
        }
        lines.append("p-q-r-s tertiary")
        return lines.joined(separator: "\n")
    }

    private static func observation(_ east: Metres, _ north: Metres) -> MatchObservation {
        MatchObservation(position: DrawnNetwork.place(east, north), accuracy: 8, course: nil)
    }

    @Test("at every fix of a drive, however far apart", arguments: [4.0, 15, 35, 80])
    func drive(step: Metres) throws {
        let network = try DrawnNetwork(Self.drawing(shift: 0)).network
        let matcher = MapMatcher(network)
        var random = SplitMix64(seed: 1)
        var (east, north) = (200.0, 200.0)
        var last = Self.observation(east, north)
        var surroundings: Surroundings?
        var found = 0
        for _ in 0..<300 {
            east = min(max(east + step * (2 * random.fraction() - 1), -50), 400)
            north = min(max(north + step * (2 * random.fraction() - 1), -50), 400)
            let next = Self.observation(east, north)
            surroundings = matcher.surroundings(of: next, after: last, known: surroundings)
            let near = network.edges(within: 32, of: next.position, among: surroundings)
            #expect(near == network.edges(within: 32, of: next.position))
            found += near.count
            last = next
        }
        #expect(found > 300)
    }

    @Test("and those of another road file serve for none")
    func otherFile() throws {
        let (one, other) = (
            try DrawnNetwork(Self.drawing(shift: 0)).network, try DrawnNetwork(Self.drawing(shift: 25)).network
        )
        let place = Self.observation(110, 110)
        let known = MapMatcher(one).surroundings(of: place, after: place, known: nil)
        #expect(known != nil)
        let near = other.edges(within: 20, of: place.position, among: known)
        #expect(!near.isEmpty && near == other.edges(within: 20, of: place.position))
    }
}
