@testable import Roads
import Testing

@Suite("Road names and numbers of other sources")
struct SnappingNamesTests {
    @Test(
        "spelt otherwise, the same road",
        arguments: [
            ("W Washington St", "West Washington Street", ""), ("Washington Street", "West Washington Street", ""),
            ("W. WASHINGTON ST.", "West Washington Street", ""), ("St John St", "Saint John Street", ""),
            ("US 23", "", "US 23"), ("US-23", "", "US 23"), ("us23", "", "US 23;M 14"), ("U.S. Route 23", "", "US 23"),
            ("I-94;US 23", "", "US 23"), ("INTERSTATE 81 X", "", "I 81"), ("US 11 SLS", "", "US 11"),
            ("I 81 & RAILROAD", "", "I 81"), ("COUNTY ROUTE 1/1", "", "CR 1/1"), ("CO RT 19/26", "", "CR 19/26"),
            ("CR 05 SLS", "", "CR 5"), ("WV ROUTE 92", "", "WV 92"), ("Hauptstr.", "Hauptstraße", ""),
            ("Hauptstrasse", "Hauptstraße", ""), ("B37", "Ring", "B 37"), ("O'Brien Rd", "OBrien Road", ""),
        ])
    func same(text: String, name: String, number: String) {
        #expect(RoadDesignation(text).matches(name: name, number: number))
    }

    @Test(
        "another road",
        arguments: [
            ("W Washington St", "East Washington Street", ""), ("Washington Ave", "Washington Street", ""),
            ("Mill Creek Road", "Mill Creek", ""), ("US 23", "", "US 123"), ("US 23", "", "M 23"),
            ("CR 9/1", "", "CR 9"), ("CR 9", "", "CR 9/1"), ("Street", "", ""), ("23", "", "US 23"),
            ("Mill Lane", "", ""), ("RAILROAD", "Railroad Street", ""), ("North", "South", ""),
        ])
    func other(text: String, name: String, number: String) {
        #expect(!RoadDesignation(text).matches(name: name, number: number))
    }

    @Test("a text without a name in it says nothing", arguments: ["", " ", ";", "&()"])
    func empty(text: String) { #expect(RoadDesignation(text).isEmpty) }
}
