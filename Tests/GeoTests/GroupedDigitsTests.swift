import Geo
import Testing

struct GroupedDigitsTests {
    @Test(
        "Thousands are set apart from the last digit on, whatever the sign",
        arguments: [
            (0, "0"), (-123, "-123"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_234_567, "1,234,567"),
            (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int, String)])
    func groups(number: Int, text: String) { #expect(number.grouped == text) }
}
