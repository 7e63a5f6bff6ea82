import Clearances
import Foundation
import RoadImport
import Roads
import Testing

/// Beside the project, where it is at hand.
private enum NBISlice {
    static let path = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../../shared/data/nbi/WV_2010_slice.csv").standardized.path
    static let isThere = FileManager.default.isReadableFile(atPath: path)
}

/// The first 1,599 rows of a state's real file. Expected numbers were counted by an independent script.
@Suite("NBI, West Virginia 2010", .enabled(if: NBISlice.isThere, "the slice WV_2010_slice.csv is not at hand"))
struct ClearanceSliceTests {
    private func read() throws -> ClearanceCollection {
        var collection = ClearanceCollection()
        try ClearanceFile.read(NBISlice.path, into: &collection)
        return collection
    }

    @Test("every row ends as clearances, as no limit, or as a reject with its reason; none is guessed")
    func rows() throws {
        let read = try read()
        #expect(read.rowsRead == 1599)
        // 293 rows have 91 to 96 columns instead of 133, and a run of blanks. The row with 60 minutes limits no road.
        #expect(read.rejectedByReason == ["wrong number of columns": 293])
        #expect(read.rowsWithoutLimit == 1082 + 1)
        #expect(Set(read.clearances.map { $0.id.replacing("-under", with: "") }).count == 223)
        #expect(read.rowsRead == 223 + read.rowsWithoutLimit + read.rejects.count)
    }

    @Test("39 structures limit the road on them, 192 the roads beneath")
    func passages() throws {
        let read = try read()
        #expect(read.clearances.count { $0.passage == .over } == 39)
        #expect(read.clearances.count { $0.passage == .under } == 192)
        #expect(read.unknown == 30)
        // All 1,599 records are of type 1: this slice holds no route under a structure.
        #expect(read.routesUnderFromItem10 == 0)
    }

    @Test("known rows: the lowest, the highest, an apostrophe within a text, damaged rows")
    func known() throws {
        let read = try read()
        let lowest = read.clearances.filter { if case .limit(let limit) = $0.reading { limit < 300 } else { false } }
        #expect(lowest.map(\.posted).sorted() == ["2.59", "2.81", "2.87"])
        #expect(read.clearances.contains { $0.posted == "25.9" && $0.reading == .unknown })
        #expect(read.rejects.prefix(3).map(\.line) == [78, 79, 80])
        #expect(read.rejects.first?.detail == "92 of 133")
        #expect(read.rejects.allSatisfy { !$0.raw.isEmpty && $0.line > 1 })
    }
}
