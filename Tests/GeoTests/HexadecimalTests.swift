import Hashing
import Testing

struct HexadecimalTests {
    @Test(
        "A hash is 16 hexadecimal digits, whatever its value",
        arguments: [
            (0, "0000000000000000"), (0xA, "000000000000000a"), (0x0123_4567_89AB_CDEF, "0123456789abcdef"),
            (.max, "ffffffffffffffff"),
        ] as [(UInt64, String)])
    func digits(value: UInt64, text: String) {
        #expect(value.hexadecimal == text)
    }
}
