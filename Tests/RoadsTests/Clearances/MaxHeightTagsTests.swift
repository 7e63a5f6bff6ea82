import Clearances
import Geo
import Roads
import Testing

@Suite("The height tags of a way or node, for each direction")
struct MaxHeightTagsTests {
    private static let suffixes = ["physical", "signed", "legal", "hgv", "lanes", "conditional"]

    @Test(
        "every suffix, and any two of them, limits both directions",
        arguments: ["maxheight"] + suffixes.map { "maxheight:\($0)" }
            + suffixes.flatMap { a in suffixes.filter { $0 != a }.map { "maxheight:\(a):\($0)" } })
    func suffix(key: String) {
        let tags = MaxHeightTags([key: "3.2", "highway": "residential"])
        #expect(tags.tags.map(\.key) == [key])
        #expect(tags.deciding(forward: true)?.reading == .limit(320))
        #expect(tags.deciding(forward: false)?.reading == .limit(320))
    }

    @Test(
        "forward and backward, alone or in combination, limit one direction",
        arguments: ["%", "physical:%", "%:physical", "hgv:%", "lanes:%", "legal:%:conditional"])
    func direction(pattern: String) {
        for (word, isForward) in [("forward", true), ("backward", false)] {
            let key =
                "maxheight:" + pattern.split(separator: "%", omittingEmptySubsequences: false).joined(separator: word)
            let tags = MaxHeightTags([key: "3.2"])
            #expect(tags.deciding(forward: isForward)?.reading == .limit(320), "\(key)")
            #expect(tags.deciding(forward: !isForward) == nil, "\(key)")
        }
    }

    @Test(
        "a height with a fraction of an inch is read, rounded down",
        arguments: ["10' 6 1/2\"", "10'6½\"", "10'6-1/2\""])
    func fraction(height: String) {
        #expect(MaxHeightTags(["maxheight": height]).deciding(forward: true)?.reading == .limit(321))
    }

    @Test(
        "prose and other vehicles' heights say nothing",
        arguments: [
            "maxheight:note", "source:maxheight", "maxheight:bus", "maxheight:source", "maxheight:physical:note",
            "maxheight:", "maxheights", "maxheight_physical", "note:maxheight", "height", "maxwidth", "MaxHeight",
        ])
    func ignored(key: String) {
        #expect(MaxHeightTags([key: "3.2"]).isEmpty)
    }

    @Test(
        "the lowest readable wins, and the tag that says so is kept with its raw text",
        arguments: [
            (["maxheight": "4.0", "maxheight:physical": "4.2"], "maxheight", .limit(400)),
            (["maxheight": "4.2", "maxheight:physical": "4,0 m"], "maxheight:physical", .limit(400)),
            (["maxheight": "default", "maxheight:hgv": "13'6\""], "maxheight:hgv", .limit(411)),
            (["maxheight": "below_default", "maxheight:physical": "4.7"], "maxheight:physical", .limit(470)),
            (["maxheight": "below_default", "maxheight:signed": "none"], "maxheight", .unknown),
            (["maxheight": "none", "maxheight:note": "3.1"], "maxheight", .legalDefault),
        ] as [([String: String], String, ClearanceReading)])
    func lowest(tags: [String: String], key: String, reading: ClearanceReading) {
        let deciding = MaxHeightTags(tags).deciding(forward: true)
        #expect(deciding?.key == key)
        #expect(deciding?.value == tags[key])
        #expect(deciding?.reading == reading)
    }

    @Test("of both directions' and one direction's limit the lower holds in that direction")
    func bothAndOne() {
        let tags = MaxHeightTags(["maxheight": "4.0", "maxheight:forward": "3.5", "maxheight:backward": "4.2"])
        #expect(tags.deciding(forward: true)?.reading == .limit(350))
        #expect(tags.deciding(forward: false)?.reading == .limit(400))
    }

    @Test("a height restrictor has the height on its node; without one its height is unknown, not unlimited")
    func heightRestrictor() {
        let posted = MaxHeightTags(ofNode: ["barrier": "height_restrictor", "maxheight": "2.1"])
        #expect(posted.deciding(forward: true)?.reading == .limit(210))
        let bare = MaxHeightTags(ofNode: ["barrier": "height_restrictor"])
        #expect(bare.deciding(forward: true)?.reading == .unknown)
        #expect(bare.deciding(forward: false)?.reading == .unknown)
        #expect(MaxHeightTags(ofNode: ["barrier": "gate"]).isEmpty)
        #expect(MaxHeightTags(ofNode: ["maxheight": "3.8"]).deciding(forward: false)?.reading == .limit(380))
    }
}
