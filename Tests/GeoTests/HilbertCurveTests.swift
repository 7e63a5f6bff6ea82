import Geo
import Testing

@Suite("The order of the Hilbert curve")
struct HilbertCurveTests {
    @Test("The curve comes to every cell of a square once, and goes from each to one beside it", arguments: 1...6)
    func neighbours(level: Int) {
        let side = 1 << level
        let cells = (0..<side * side).map { (x: UInt32($0 % side), y: UInt32($0 / side)) }
        let shift = UInt32(32 - level)
        let ordered = cells.map { cell in
            (distance: HilbertCurve.distance(x: cell.x << shift, y: cell.y << shift) >> UInt64(2 * shift), cell: cell)
        }.sorted { $0.distance < $1.distance }
        #expect(ordered.map(\.distance) == (0..<UInt64(cells.count)).map(\.self))
        for (a, b) in zip(ordered, ordered.dropFirst()) {
            let (x, y) = (Int(a.cell.x) - Int(b.cell.x), Int(a.cell.y) - Int(b.cell.y))
            #expect(abs(x) + abs(y) == 1)
        }
    }

    @Test("It begins in one corner of the square and ends in the next, at its finest too")
    func ends() {
        #expect(HilbertCurve.distance(x: 0, y: 0) == 0)
        #expect(HilbertCurve.distance(x: .max, y: 0) == .max)
    }
}
