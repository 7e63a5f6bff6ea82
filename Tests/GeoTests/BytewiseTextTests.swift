import Foundation
import Hashing
import Testing

struct BytewiseTextTests {
    private struct Entry: Hashable, Codable {
        @BytewiseText var id: String
    }

    /// An ü of one code point, and one of two, which is an u and a mark.
    private static let composed = "K\u{FC}hl"
    private static let decomposed = "Ku\u{308}hl"

    @Test("Texts are the same where their bytes are, and not where they are canonically equivalent")
    func bytes() {
        #expect(Self.composed == Self.decomposed)
        let texts = [Self.composed, Self.decomposed].map(BytewiseText.init(_:))
        #expect(texts[0] != texts[1] && Set(texts).count == 2)
        #expect(texts[0] == BytewiseText(Self.composed) && texts[0].hashValue == BytewiseText(Self.composed).hashValue)
        #expect(BytewiseText("") == "" && BytewiseText("") != "a")
        // Of the same length: an Ångström sign, and an A with a ring of two code points.
        #expect("\u{212B}" == "A\u{30A}" && BytewiseText("\u{212B}") != BytewiseText("A\u{30A}"))
    }

    @Test("They are in the order of their bytes")
    func order() {
        let texts = ["", "10", "2", "B", Self.decomposed, Self.composed, "a", "ab", "\u{FC}", "\u{1F69A}"]
        let sorted = texts.map(BytewiseText.init(_:))
        #expect(sorted.reversed().sorted() == sorted)
        #expect(BytewiseText.distinct(["b", Self.composed, "b", Self.decomposed]).map(\.utf8.count) == [6, 5, 1])
    }

    @Test("A member is a text, compared by its bytes, and is written and read as a text")
    func member() throws {
        let entries = [Entry(id: Self.composed), Entry(id: Self.decomposed)]
        #expect(Set(entries).count == 2 && entries[0].id == entries[1].id && entries[0].$id != entries[1].$id)
        let json = try JSONEncoder().encode(entries[1])
        #expect(json == Data(#"{"id":"\#(Self.decomposed)"}"#.utf8))
        #expect(try JSONDecoder().decode(Entry.self, from: json) == entries[1])
    }
}
