import Clearances
import Foundation
import Geo
import RoadImport
import Roads
import Testing

@Suite("Clearances from delimited text")
struct ClearanceTableTests {
    @Test(
        "the delimiter is the one the header has most of; names of columns in either case and order",
        arguments: [
            "lat,lon,clearance,id\n42.28,-83.75,3.2,a\n",
            "id;Latitude;LONGITUDE;Height\r\na;42,28;-83,75;3.2\r\n",
            "lon\tlat\theight\tid\n-83.75\t42.28\t3.2\ta",
            "\"id\", \"lat\",  \"lon\", \"clearance\"\n\"a\", 42.28, \"-83.75\", \"3.2\"\n",
            "\u{FEFF}note|id|lat|lng|clearance\n|a|42.28|-83.75|3.2\n\n",
        ])
    func delimiters(content: String) throws {
        let read = try ClearanceSheet.read(content)
        #expect(read.values == ["a=3.2"])
        #expect(read.clearances.first?.position == Coordinate(latitude: 42.28, longitude: -83.75))
        #expect(read.reasons.isEmpty)
    }

    @Test("a line that is not UTF-8 is read as Windows-1252: names keep their letters")
    func windows1252() throws {
        let names = ["Br\u{FC}cke", "\u{2013} \u{17D}", "Gda\u{144}sk"]
        let rows = names.enumerated().map { "1,\($0.offset),3,\($0.offset),\($0.element)" }
        var bytes: [UInt8] = []
        for line in ["lat,lon,clearance,id,name"] + rows {
            bytes += (line.data(using: .windowsCP1252) ?? Data(line.utf8)) + [UInt8(ascii: "\n")]
        }
        let read = try ClearanceSheet.read(bytes)
        #expect(read.clearances.map(\.name) == names)
        let undefined = try ClearanceSheet.read(Array("lat,lon,clearance,name\n1,2,3,".utf8) + [0x42, 0xFC, 0x81])
        #expect(undefined.clearances.map(\.name) == ["B\u{FC}\u{81}"])
    }

    @Test("every column comes along; a quote within a text is a foot or an inch")
    func columns() throws {
        let read = try ClearanceSheet.read(
            """
            lat,lon,clearance,id,name,road,approach,passage,source,date
            42.28,-83.75,10'6",s-1,"Railroad, north",W Washington St,270 90,under,survey,2026-05-01
            42.28,-83.75,"10'6""\",s-2,"The ""Can Opener""\",,,,,
            """)
        let first = try #require(read.clearances.first)
        #expect(
            first
                == PointClearance(
                    id: "s-1", position: Coordinate(latitude: 42.28, longitude: -83.75), posted: "10'6\"",
                    name: "Railroad, north", road: "W Washington St", approach: [270, 90], passage: .under,
                    source: "survey", date: "2026-05-01"))
        #expect(first.reading == .limit(320))
        #expect(read.clearances.last?.posted == "10'6\"")
        #expect(read.clearances.last?.name == "The \"Can Opener\"")
        #expect(read.clearances.last?.source == "local")
    }

    @Test(
        "a bad row is rejected by its reason",
        arguments: [
            ("42.28,-83.75,0,a,", .notPositive), ("42.28,-83.75,0 m,a,", .notPositive),
            ("42.28,-83.75,-3,a,", .notPositive), ("42.28,-83.75,,a,", .missing), ("42.28,-83.75,3", .columns),
            ("42.28,-83.75,3,a,,", .columns), ("42.28,-83.75,3,a/b,", .identifier),
            ("42.28,-83.75,3,a,north", .approach), ("42.28,-83.75,3,a,400", .approach),
            ("x,-83.75,3,a,", .position), (",-83.75,3,a,", .position), ("95,-83.75,3,a,", .positionRange),
            ("42.28,-83.75,\"3,a,", .openQuote),
        ] as [(String, ClearanceRejection)])
    func rejects(row: String, reason: ClearanceRejection) throws {
        let read = try ClearanceSheet.read("lat,lon,clearance,id,approach\n\(row)\n")
        #expect(read.reasons == [reason])
        #expect(read.clearances.isEmpty)
        #expect(read.rejects.first?.line == 2)
        #expect(read.rejects.first?.raw == row)
    }

    @Test("what cannot be read, or cannot be true, is unknown and kept with its text; never 'no limit'")
    func unknown() throws {
        let read = try ClearanceSheet.read("lat,lon,clearance,id\n1,2,abc,a\n1,2,30,b\n1,2,none,c\n")
        #expect(read.clearances.map(\.reading) == [.unknown, .unknown, .legalDefault])
        #expect(read.clearances.map(\.posted) == ["abc", "30", "none"])
        #expect(read.unknown == 2)
    }

    @Test("of a clearance and a height the one that is filled counts, the clearance where both are")
    func twoColumns() throws {
        let rows = ["1,2,3.2, ,a", "1,3,,3.3,b", "1,4,5,3.4,c", "1,5,,,d"]
        let read = try ClearanceSheet.read("lat,lon,height,clearance,id\n" + rows.joined(separator: "\n"))
        #expect(read.values == ["a=3.2", "b=3.3", "c=3.4"])
        #expect(read.reasons == [.missing])
    }

    @Test("without an id, source and place are one")
    func derivedID() throws {
        let read = try ClearanceSheet.read(
            "lat,lon,clearance,source\n42.2806,-83.7519,3,survey\n42.2806,-83.7519,3,survey\n")
        #expect(read.clearances.map(\.id) == ["survey:42.28060,-83.75190"])
        #expect(read.reasons == [.duplicate])
    }

    @Test(
        "rows of one place without ids are all kept where they differ, as of its two directions; the same once more is not"
    )
    func onePlace() throws {
        let read = try ClearanceSheet.read(
            """
            lat,lon,clearance,approach
            42.2805,-83.7497,12'6",90
            42.2805,-83.7497,10'6",270
            42.2805,-83.7497,10'6",270
            42.2805,-83.7497,12'6",90

            """)
        #expect(read.values == ["local:42.28050,-83.74970=12'6\"", "local:42.28050,-83.74970-2=10'6\""])
        #expect(read.reasons == [.duplicate, .duplicate])
    }

    @Test("a row that is not used keeps its number, and an id that the file gives is not divided")
    func onePlaceInOrder() throws {
        let read = try ClearanceSheet.read(
            """
            {"type": "FeatureCollection", "features": [
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [2, 1]},
             "properties": {"clearance": "3", "approach": [900]}},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [2, 1]}, "properties": {"clearance": "2.5"}},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [2, 1]},
             "properties": {"id": "local:1.00000,2.00000", "clearance": "2"}}]}
            """)
        #expect(read.values == ["local:1.00000,2.00000-2=2.5"])
        #expect(read.rejects.map(\.id) == ["local:1.00000,2.00000", "local:1.00000,2.00000"])
        #expect(read.reasons == [.approach, .duplicate])
    }

    @Test("an id that stands in two files is taken once, and the message says where it stands already")
    func duplicateAcrossFiles() throws {
        let read = try ClearanceSheet.read("lat,lon,clearance,id\n1,2,3,a\n", "lat,lon,clearance,id\n1,2,2.5,a\n")
        #expect(read.values == ["a=3"])
        #expect(read.rejects.first?.message.hasSuffix(":2 already") == true)
    }

    @Test(
        "a file that is nothing of the kind is refused as a whole", arguments: ["", "hello\nworld\n", "lat,lon\n1,2\n"])
    func foreign(content: String) {
        #expect(throws: FileError.self) { try ClearanceSheet.read(content) }
    }

    @Test(
        "a file in UTF-16 is refused with what to do",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let content = try #require("lat,lon,clearance\n1,2,3\n".data(using: encoding))
        for format in [nil, ClearanceFormat.geojson] {
            let error = #expect(throws: FileError.self) {
                try ClearanceSheet.withFile(Array(content)) { path in
                    var collection = ClearanceCollection()
                    try ClearanceFile.read(path, as: format, into: &collection)
                }
            }
            #expect(error?.reason == "expected UTF-8, got UTF-16; save it as UTF-8")
        }
    }

    @Test("rejects are written as a table that a spreadsheet reads")
    func table() throws {
        let read = try ClearanceSheet.read("lat,lon,clearance,id\n1,2,0,\"a\"\n")
        let text = String(decoding: ClearanceReject.table(read.rejects), as: UTF8.self)
        #expect(text.hasPrefix("line,reason,raw,file\n2,\"clearance of 0 or less: 0\",\"1,2,0,\"\"a\"\"\",\""))
    }
}
