import Clearances
import Geo
import RoadImport
import Roads
import Testing

/// A record of the inventory, in both layouts.
struct NBISketch {
    var state = "54"
    var structure = "00000000001A001"
    var type = "1"
    var features = "LITTLE COVE RUN"
    var facility = "COUNTY ROUTE 1"
    var route = "99.99"
    var latitude = "39170600"
    var longitude = "079540600"
    var deck = "99.99"
    var reference = "N"
    var under = "0"
    var inspected = "1009"

    static let header =
        "STATE_CODE_001,STRUCTURE_NUMBER_008,RECORD_TYPE_005A,FEATURES_DESC_006A,FACILITY_CARRIED_007,"
        + "MIN_VERT_CLR_010,LAT_016,LONG_017,VERT_CLR_OVER_MT_053,VERT_CLR_UND_REF_054A,VERT_CLR_UND_054B,"
        + "DATE_OF_INSPECT_090"

    var delimited: String {
        "\(state),\(structure),\(type),'\(features)','\(facility)',\(route),\(latitude),\(longitude),\(deck),"
            + "\(reference),\(under),\(inspected)"
    }

    /// Positions counted out anew from the layout's table.
    var fixed: String {
        var record = Array(repeating: Character(" "), count: 432)
        func put(_ text: String, at start: Int) {
            for (offset, character) in text.enumerated() { record[start - 1 + offset] = character }
        }
        func height(_ text: String) -> String {
            guard let metres = Double(text) else { return text }
            let digits = "\(Int((metres * 100).rounded()))"
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        put(state + "3", at: 1)
        put(structure, at: 4)
        put(type, at: 19)
        put(features, at: 38)
        put(facility, at: 63)
        put(height(route), at: 106)
        put(latitude, at: 130)
        put(longitude, at: 138)
        put(height(deck), at: 243)
        put(reference, at: 247)
        put(height(under), at: 248)
        put(inspected, at: 287)
        return String(record)
    }
}

@Suite("National Bridge Inventory")
struct ClearanceNBITests {
    /// What limits which road, in either layout: over the deck under the structure's id, beneath with a suffix.
    static let records: [(rule: String, record: NBISketch, values: [String], reasons: [ClearanceRejection])] = [
        ("99.99 and N are no limit", NBISketch(), [], []),
        ("30.48 is no limit", NBISketch(route: "30.48", deck: "30.48"), [], []),
        ("0 is not applicable", NBISketch(route: "0", deck: "0", reference: "H", under: "0"), [], []),
        ("item 10 limits the road on it", NBISketch(route: "4.24"), ["nbi:54-00000000001A001=4.24"], []),
        ("item 53 limits the road on it", NBISketch(deck: "3.17"), ["nbi:54-00000000001A001=3.17"], []),
        (
            "of items 10 and 53 the lower counts", NBISketch(route: "4.24", deck: "4.03"),
            ["nbi:54-00000000001A001=4.03"], []
        ),
        (
            "54B under a reference H limits the road beneath", NBISketch(reference: "H", under: "4.95"),
            ["nbi:54-00000000001A001-under=4.95"], []
        ),
        ("54B over a railway limits no road", NBISketch(reference: "R", under: "6.55"), [], []),
        (
            "over and under are two clearances", NBISketch(deck: "5.18", reference: "H", under: "4.11"),
            ["nbi:54-00000000001A001=5.18", "nbi:54-00000000001A001-under=4.11"], []
        ),
        (
            "a route under has its clearance in item 10",
            NBISketch(type: "2", route: "3.96", deck: "", reference: "", under: ""),
            ["nbi:54-00000000001A001-2=3.96"], []
        ),
        (
            "one of several routes under, too",
            NBISketch(type: "B", route: "4.52", deck: "", reference: "", under: ""),
            ["nbi:54-00000000001A001-B=4.52"], []
        ),
        (
            "a route under takes nothing from 54B",
            NBISketch(type: "A", route: "99.99", deck: "", reference: "H", under: "3.2"), [], []
        ),
        (
            "a route under without item 10 is damaged",
            NBISketch(type: "2", route: "", deck: "", reference: "", under: ""), [], [.blank]
        ),
        ("a blank clearance is no 'no limit'", NBISketch(deck: ""), [], [.blank]),
        ("a blank reference is none either", NBISketch(reference: "", under: ""), [], [.blank]),
        (
            "a blank field does not silence another road's height, and is told",
            NBISketch(deck: "", reference: "H", under: "3.5"), ["nbi:54-00000000001A001-under=3.5"], [.blank]
        ),
        (
            "an unreadable 54B beside a readable 53 is told", NBISketch(deck: "4.2", reference: "H", under: "abc"),
            ["nbi:54-00000000001A001=4.2"], [.value]
        ),
        (
            "a blank 54B under a reference H, too", NBISketch(deck: "4.2", reference: "H", under: ""),
            ["nbi:54-00000000001A001=4.2"], [.blank]
        ),
        (
            "an unknown reference, too", NBISketch(deck: "4.2", reference: "Q", under: "4"),
            ["nbi:54-00000000001A001=4.2"], [.reference]
        ),
        (
            "an unreadable 53 beside a readable 54B is told", NBISketch(deck: "abc", reference: "H", under: "4.1"),
            ["nbi:54-00000000001A001-under=4.1"], [.value]
        ),
        (
            "an unreadable 53 beside item 10 of the same road, too", NBISketch(route: "4.2", deck: "??"),
            ["nbi:54-00000000001A001=4.2"], [.value]
        ),
        (
            "each of two unreadable items is told", NBISketch(route: "4.2", deck: "??", reference: "Q"),
            ["nbi:54-00000000001A001=4.2"], [.value, .reference]
        ),
        (
            "a row that is rejected as a whole is told once",
            NBISketch(latitude: "38600000", deck: "4", reference: "Q"), [], [.sexagesimal]
        ),
        ("letters are no height", NBISketch(deck: "X4.2"), [], [.value]),
        ("an unknown reference is not guessed at", NBISketch(reference: "Q", under: "4"), [], [.reference]),
        ("an unknown record type is not guessed at", NBISketch(type: "3", route: "4.2"), [], [.recordType]),
        ("60 minutes are damage", NBISketch(latitude: "38600000", deck: "4"), [], [.sexagesimal]),
        ("60 seconds are damage", NBISketch(longitude: "080496000", deck: "4"), [], [.sexagesimal]),
        (
            "no position is damage", NBISketch(latitude: "00000000", longitude: "000000000", deck: "4"), [],
            [.positionRange]
        ),
        ("a blank position is damage", NBISketch(latitude: "        ", deck: "4"), [], [.blank]),
        ("a position cut short is damage", NBISketch(longitude: "12130455", deck: "4"), [], [.positionRange]),
        ("letters are no position", NBISketch(latitude: "3917O600", deck: "4"), [], [.position]),
        ("a blank structure number is damage", NBISketch(structure: "               ", deck: "4"), [], [.blank]),
        ("who limits no road need not say where", NBISketch(latitude: "38600000", longitude: ""), [], []),
        (
            "a value over 10 m is kept, as unknown", NBISketch(reference: "H", under: "23.24"),
            ["nbi:54-00000000001A001-under=23.24"], []
        ),
    ]

    @Test("each item limits the road it is about", arguments: records)
    func delimited(rule: String, record: NBISketch, values: [String], reasons: [ClearanceRejection]) throws {
        let read = try ClearanceSheet.read("\(NBISketch.header)\n\(record.delimited)\n")
        #expect(read.values == values)
        #expect(read.reasons == reasons)
        #expect(read.rowsRead == 1)
        #expect(read.rowsWithoutLimit == (values.isEmpty && reasons.isEmpty ? 1 : 0))
    }

    @Test("fixed width says the same", arguments: records)
    func fixed(rule: String, record: NBISketch, values: [String], reasons: [ClearanceRejection]) throws {
        let read = try ClearanceSheet.read(record.fixed + "\n", as: .nbiFixed)
        #expect(read.reasons == reasons)
        let metres = { (text: String) in ClearanceReading(text) }
        #expect(read.clearances.map(\.id) == values.map { String($0.split(separator: "=")[0]) })
        #expect(read.clearances.map(\.reading) == values.map { metres(String($0.split(separator: "=")[1])) })
    }

    @Test("a fixed-width file is known by its records, also where the first is damaged")
    func fixedDetected() throws {
        let read = try ClearanceSheet.read("damaged\n\(NBISketch(deck: "4.35").fixed)\n")
        #expect(read.values == ["nbi:54-00000000001A001=4.35"])
        #expect(read.reasons == [.length])
    }

    @Test("position, names, passage and month of inspection come along")
    func details() throws {
        let record = NBISketch(
            features: "I 81           ", facility: "HICK'S ACCESS  ROAD ", reference: "H", under: "4.95")
        let clearance = try #require(
            try ClearanceSheet.read("\(NBISketch.header)\n\(record.delimited)").clearances.first)
        #expect(clearance.position.latitude == 39 + 17.0 / 60 + 6.0 / 3600)
        #expect(abs(clearance.position.longitude + (79 + 54.0 / 60 + 6.0 / 3600)) < 1e-12)
        #expect(clearance.name == "HICK'S ACCESS ROAD over I 81")
        #expect(clearance.road == "I 81")
        #expect(clearance.passage == .under)
        #expect(clearance.source == "nbi")
        #expect(clearance.date == "2009-10")
        #expect(clearance.reading == .limit(495))
    }

    @Test("hundredths of seconds count; Guam lies east; a longitude may have lost its leading zero")
    func positions() throws {
        let rows = [
            NBISketch(structure: "1", latitude: "31061094", longitude: "085030020", deck: "4"),
            NBISketch(state: "66", structure: "2", latitude: "13280000", longitude: "144450000", deck: "4"),
            NBISketch(structure: "3", latitude: "31061094", longitude: "85030020", deck: "4"),
        ]
        let read = try ClearanceSheet.read(([NBISketch.header] + rows.map(\.delimited)).joined(separator: "\r\n"))
        #expect(abs(read.clearances[0].position.latitude - 31.10303889) < 1e-8)
        #expect(abs(read.clearances[0].position.longitude + 85.05005556) < 1e-8)
        #expect(read.clearances[1].position.longitude == 144.75)
        #expect(read.clearances[2].position == read.clearances[0].position)
    }

    @Test("a row of the wrong width, or with a quote that stays open, is rejected with its line and text")
    func damaged() throws {
        let good = NBISketch(deck: "4").delimited
        let read = try ClearanceSheet.read(
            "\(NBISketch.header)\n\(good),\n54,000,1,\(String(repeating: " ", count: 128))\n54,'OPEN\n")
        #expect(read.reasons == [.columns, .columns, .openQuote])
        #expect(read.rejects.map(\.line) == [2, 3, 4])
        #expect(read.rejects[0].message == "wrong number of columns: 13 of 12")
        #expect(read.rejects[2].raw == "54,'OPEN")
        #expect(try ClearanceSheet.read(NBISketch().fixed + " ", as: .nbiFixed).reasons == [.length])
    }

    @Test("a row that has lost columns to a block of blanks is rejected, also where what is left says \"no limit\"")
    func lostColumns() throws {
        let blanks = String(repeating: " ", count: 127)
        let rows = [NBISketch(), NBISketch(deck: "4.2")].map { sketch in
            sketch.delimited.replacing("\(sketch.latitude),\(sketch.longitude)", with: blanks)
        }
        let read = try ClearanceSheet.read(([NBISketch.header] + rows).joined(separator: "\n"))
        #expect(read.rejects.map(\.message) == Array(repeating: "wrong number of columns: 11 of 12", count: 2))
        #expect(read.rowsWithoutLimit == 0 && read.clearances.isEmpty)
    }

    @Test("columns are found by their names, whatever their order, number and year; text need not be padded")
    func columns() throws {
        let names = NBISketch.header.split(separator: ",") + ["DATE_ADDED" as Substring]
        let values = NBISketch(structure: "1", deck: "3.2").delimited.split(separator: ",") + ["x" as Substring]
        let read = try ClearanceSheet.read(
            "\(names.reversed().joined(separator: ","))\n\(values.reversed().joined(separator: ","))")
        #expect(read.values == ["nbi:54-1=3.2"])
    }

    @Test("one record twice is rejected the second time; characters that a topic level cannot hold are written out")
    func identifiers() throws {
        let row = NBISketch(structure: "#12/3+4", deck: "4").delimited
        let read = try ClearanceSheet.read("\(NBISketch.header)\n\(row)\n\(row)\n")
        #expect(read.values == ["nbi:54-%2312%2F3%2B4=4"])
        #expect(read.reasons == [.duplicate])
    }
}
