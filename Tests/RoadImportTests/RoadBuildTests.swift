import Clearances
import Geo
import RoadImport
import Roads
import Testing

@Suite("OSM files are read in every format, or refused with their name and the reason")
struct RoadBuildTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func build(_ paths: String...) throws(OSMFileError) -> (file: [UInt8], report: ImportReport) {
        try RoadBuild.build(paths) { _ in }
    }

    @Test("the crossing is built as it is written")
    func crossing() throws {
        let result = try build(directory.write(OSMText.xml, to: "crossing.osm"))
        let network = try RoadNetwork(RoadFileBuffer(result.file))
        try network.verify()
        let keys = (0..<network.edgeCount).map { network.key(EdgeID($0)) }
        #expect(Set(keys).count == 6)
        let arriving = try #require(keys.firstIndex(of: EdgeKey(way: 10, from: 1, to: 2)))
        #expect(network.name(EdgeID(arriving)) == "Süd & Nord")
        #expect(network.successors(EdgeID(arriving)).map(network.wayID) == [12])
        #expect(network.clearances(EdgeID(arriving)).map { network.clearance($0).id } == ["osm:node:2"])
        #expect(abs(network.length(EdgeID(arriving)) - 724.2) < 0.5)
    }

    @Test(
        "a height is as old as the last look at it, or else as the last edit of its object",
        arguments: [
            ("t2016-12-05T23:59:00Z ", "", "2016-12-05"),
            ("t2016-12-05T23:59:00Z ", ",check_date:maxheight=2021-07", "2021-07"),
            ("", ",check_date=2021-07-01", ""),
        ])
    func age(edit: String, tags: String, date: String) throws {
        let text = OSMText.opl.replacing("maxheight=13'6\"", with: "maxheight=13'6\"\(tags)")
            .replacing("w11 ", with: "w11 \(edit)").replacing("w12 ", with: "w12 \(edit)")
            .replacing("Tmaxheight=3.8", with: "\(edit)Tmaxheight=3.8\(tags)")
        let files = try [text, "n1 x8.5 y49.5\nn3 x8.51 y49.51\nw13 Thighway=service Nn1,n3\n"].map { text in
            try build(directory.write(text, to: "dated.opl")).file
        }
        let joined = try JoinedRoads.open(zip(files, ["a.roads", "b.roads"]).map { try directory.write($0, to: $1) })
        for network in [try RoadNetwork(RoadFileBuffer(files[0])), joined] {
            let clearances = (0..<network.clearanceCount).map { network.clearance(ClearanceID($0)) }
            #expect(clearances.map(\.id).sorted() == ["osm:node:2", "osm:way:11"])
            #expect(clearances.map(\.date) == [date, date])
        }
    }

    @Test("gzip, bzip2 and OPL give the same bytes as XML")
    func formats() throws {
        let xml = try build(directory.write(OSMText.xml, to: "crossing.osm"))
        for path in [
            try directory.write(OSMText.gzip, to: "crossing.osm.gz"),
            try directory.write(OSMText.bzip2, to: "crossing.osm.bz2"),
            try directory.write(OSMText.opl, to: "crossing.opl"),
        ] {
            let result = try build(path)
            #expect(result.file.elementsEqual(xml.file), "\(path)")
            #expect(result.report == xml.report, "\(path)")
        }
    }

    @Test("extracts that overlap are joined, each object counting once")
    func overlapping() throws {
        let lines = OSMText.opl.split(separator: "\n").map(String.init)
        let west = lines.filter { !$0.hasPrefix("w12") && !$0.hasPrefix("n4") }
        let east = lines.filter { !$0.hasPrefix("n1") && !$0.hasPrefix("r20") }
        let joined = try build(
            directory.write(west.joined(separator: "\n") + "\n", to: "west.opl"),
            directory.write(east.joined(separator: "\n") + "\n", to: "east.opl"))
        let whole = try build(directory.write(OSMText.opl, to: "whole.opl"))
        // The files differ in the order of the objects that they keep for joining, not in the network.
        let networks = try [joined, whole].map { try RoadNetwork(RoadFileBuffer($0.file)) }
        #expect(networks[0].edgeDescriptions == networks[1].edgeDescriptions)
        #expect(joined.report == whole.report)
    }

    @Test("deleted objects are passed over")
    func deleted() throws {
        let path = try directory.write(
            OSMText.opl.replacing("w12 ", with: "w12 v2 dD "), to: "deleted.opl")
        #expect(try build(path).report.drivableWays == 2)
    }

    @Test("the report counts what was read, and every height that was not understood, by its text")
    func report() throws {
        let heights = ["3.8", "below_default", "30", "30", "default", "3.2;abc", "60"]
        let nodes = (0...heights.count).map { "n\($0 + 1) x8.\(500 + $0) y49.5" }
        let ways = heights.enumerated().map { "w\($0 + 1) Thighway=tertiary,maxheight=\($1) Nn\($0 + 1),n\($0 + 2)" }
        let others = [
            "w90 Tbuilding=yes,maxheight=1 Nn1,n2", "w91 Thighway=service Nn8,n99", "w92 Thighway=service Nn8,n1",
        ]
        let relation = "r1 Ttype=restriction,restriction=give_way Mw1@from,n2@via,w2@to"
        let text = (nodes + ways + others + [relation]).joined(separator: "\n") + "\n"
        let report = try build(directory.write(text, to: "heights.opl")).report
        #expect(report.ways == 10)
        #expect(report.drivableWays == 9)
        #expect(report.nodes == 8)
        #expect(report.missingNodes == 1)
        #expect(report.directedEdges == 16)
        #expect(report.heightTexts["maxheight=30"] == 2)
        #expect(report.heightTexts.values.reduce(0, +) == 7)
        #expect(
            report.heightTextsNotUnderstood == ["maxheight=below_default": 1, "maxheight=30": 2, "maxheight=60": 1])
        #expect(report.clearances == 7)
        #expect(report.clearancesByReading == ["limit": 2, "legal-default": 1, "unknown": 4])
        #expect(report.restrictions == 1)
        #expect(report.restrictionsIgnored == ["unknown kind": 1])
    }

    @Test("progress goes from somewhere above nothing to all, and never back")
    func progress() throws {
        let paths = [
            try directory.write(OSMText.xml, to: "a.osm"), try directory.write(OSMText.opl, to: "b.opl"),
        ]
        var shares: [Double] = []
        _ = try RoadBuild.build(paths) { shares.append($0) }
        #expect(shares == shares.sorted())
        #expect(shares.allSatisfy { (0...1).contains($0) })
        #expect(shares.last == 1)
    }

    // MARK: What cannot be read

    private func refusal(of path: String) throws -> OSMFileError {
        try #require(throws: OSMFileError.self) { try build(path) }
    }

    @Test(
        "a damaged file is refused, whatever its format, and the error begins with its name",
        arguments: [
            "cut.osm", "wrong.osm", "empty.osm", "wrong.opl", "cut.osm.gz", "cut.osm.bz2",
            "wrong.osm.pbf",
        ])
    func damaged(name: String) throws {
        let contents: [String: [UInt8]] = [
            "cut.osm": Array(OSMText.xml.utf8.prefix(700)), "wrong.osm": Array("<osm version=\"0.6\"><node id=".utf8),
            "empty.osm": [], "wrong.opl": Array("n1 x8.5 y\nnothing\n".utf8),
            "cut.osm.gz": Array(OSMText.gzip.prefix(250)), "cut.osm.bz2": Array(OSMText.bzip2.prefix(300)),
            "wrong.osm.pbf": Array(OSMText.xml.utf8),
        ]
        let path = try directory.write(try #require(contents[name]), to: name)
        let error = try refusal(of: path)
        #expect(error.path == path)
        #expect(error.description.hasPrefix(path + ": "))
        #expect(!error.reason.isEmpty)
    }

    @Test(
        "a missing file, a directory and an unknown ending are refused by name",
        arguments: ["none.osm", "folder.osm", "crossing.txt"])
    func unreadable(name: String) throws {
        _ = try directory.write(OSMText.xml, to: "crossing.txt")
        try directory.makeFolder("folder.osm")
        let path = directory.path + "/" + name
        let error = try refusal(of: path)
        #expect(error.description.hasPrefix(path + ": "))
        #expect(!error.reason.isEmpty)
    }

    @Test("one damaged file among several is the one that is named")
    func damagedAmongOthers() throws {
        let good = try directory.write(OSMText.xml, to: "good.osm")
        let bad = try directory.write("<osm", to: "bad.osm")
        let error = try #require(throws: OSMFileError.self) { try build(good, bad) }
        #expect(error.path == bad)
    }
}
