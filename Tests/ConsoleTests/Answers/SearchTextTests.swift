import Testing

@testable import Console

struct SearchTextTests {
    @Test(
        "Neither case nor accents matter",
        arguments: [
            ("heßheimer", "Heßheimer Straße"), ("HESSHEIMER STRASSE", "Heßheimer Straße"), ("straße", "STRASSE"),
            ("cafe", "Café de la Gare"), ("CAFÉ", "cafe"), ("t4", "T42"), ("łódź", "ŁÓDŹ"),
        ])
    func folding(text: String, name: String) {
        #expect(SearchText(text).match { [nil, name] })
        #expect(!SearchText(text + "x").match { [nil, name] })
    }
}
