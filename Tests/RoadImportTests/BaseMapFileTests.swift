import Geo
import Roads
import Testing

@testable import RoadImport

@Suite("The base map of an OSM file")
struct BaseMapFileTests {
    /// A wood of two ways with a clearing, a lake of one way, a river, two railways of which one is in a tunnel, a border of a
    /// relation, a town and a nameless one.
    private static let land = """
        <node id="31" lat="49.5" lon="8.6"/><node id="32" lat="49.5" lon="8.64"/>
        <node id="33" lat="49.54" lon="8.64"/><node id="34" lat="49.54" lon="8.6"/>
        <node id="35" lat="49.51" lon="8.61"/><node id="36" lat="49.51" lon="8.62"/><node id="37" lat="49.52" lon="8.62"/>
        <node id="40" lat="49.52" lon="8.5"><tag k="place" v="town"/><tag k="name" v="Käfertal"/></node>
        <node id="41" lat="49.52" lon="8.5"><tag k="place" v="town"/></node>
        <way id="51"><nd ref="31"/><nd ref="32"/><nd ref="33"/></way>
        <way id="52"><nd ref="33"/><nd ref="34"/><nd ref="31"/><tag k="waterway" v="river"/><tag k="name" v="Bach"/></way>
        <way id="53"><nd ref="35"/><nd ref="36"/><nd ref="37"/><nd ref="35"/><tag k="natural" v="water"/></way>
        <way id="54"><nd ref="31"/><nd ref="33"/><tag k="railway" v="rail"/></way>
        <way id="55"><nd ref="32"/><nd ref="34"/><tag k="railway" v="rail"/><tag k="tunnel" v="yes"/></way>
        <way id="56"><nd ref="32"/><nd ref="35"/></way>
        <relation id="61"><member type="way" ref="51" role="outer"/><member type="way" ref="52" role="outer"/>\
        <member type="way" ref="53" role="inner"/><tag k="type" v="multipolygon"/><tag k="landuse" v="forest"/></relation>
        <relation id="62"><member type="way" ref="56" role="outer"/><tag k="type" v="boundary"/>\
        <tag k="boundary" v="administrative"/><tag k="admin_level" v="6"/></relation>
        <relation id="63"><member type="way" ref="56" role="outer"/><tag k="type" v="boundary"/>\
        <tag k="boundary" v="administrative"/><tag k="admin_level" v="4"/></relation>
        """
    private static let everywhere = Bounds(south: 49, west: 8, north: 50, east: 9)

    private static func osm(_ more: String) -> String { OSMText.xml.replacing("</osm>", with: "\(more)</osm>") }

    private func build(_ text: String, keepsBaseMap: Bool = true) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        return try RoadBuild.build([directory.write(text, to: "in.osm")], keepsBaseMap: keepsBaseMap) { _ in }.file
    }

    private func described(_ file: [UInt8]) throws -> [String] {
        try RoadNetwork(RoadFileBuffer(file)).baseMap(in: Self.everywhere, zoom: 15).map { feature in
            let parts = feature.parts.map { "\($0.isHole ? "hole" : "part") of \($0.line.count)" }.joined(
                separator: " ")
            return "\(feature.kind) \(feature.source) \(feature.name) \(parts)"
        }
    }

    @Test("Areas are put together of several ways, holes are kept, and borders are those of their highest relation")
    func features() throws {
        #expect(
            try described(build(Self.osm(Self.land))) == [
                "water way(53)  part of 4", "wood relation(61)  part of 5 hole of 4", "river way(52) Bach part of 3",
                "railway way(54)  part of 2", "state way(56)  part of 2", "town node(40) Käfertal part of 1",
            ])
    }

    @Test("Ways without nodes, as broken extracts have them, add nothing: as areas, lines and members of relations")
    func waysWithoutNodes() throws {
        let empty = """
            <way id="57"/><way id="58"><tag k="natural" v="water"/></way><way id="59"><tag k="railway" v="rail"/></way>
            <relation id="64"><member type="way" ref="57" role="outer"/><tag k="type" v="multipolygon"/>\
            <tag k="landuse" v="forest"/></relation>
            """
        #expect(try described(build(Self.osm(Self.land + empty))) == described(build(Self.osm(Self.land))))
    }

    @Test("Without the base map, and where there is nothing for it, the file is that of the roads alone")
    func without() throws {
        let roads = try build(Self.osm(Self.land), keepsBaseMap: false)
        #expect(roads[8] == 3)
        #expect(try described(roads).isEmpty)
        let drawn = try build(OSMText.xml)
        #expect(drawn.elementsEqual(try build(OSMText.xml, keepsBaseMap: false)))
    }

    @Test("An area that lacks a way, a line that lacks a node and objects in another order are no error")
    func incomplete() throws {
        let cut = Self.land.replacing("<way id=\"51\"><nd ref=\"31\"/>", with: "<way id=\"511\"><nd ref=\"31\"/>")
            .replacing("<way id=\"54\"><nd ref=\"31\"/>", with: "<way id=\"54\"><nd ref=\"99\"/><nd ref=\"31\"/>")
        let found = try described(build(Self.osm(cut)))
        #expect(!found.contains { $0.hasPrefix("wood") } && found.contains("railway way(54)  part of 2"))
        let lines = Self.osm(Self.land).split(separator: "\n").map(String.init)
        let turned = [lines[0]] + lines.dropFirst().dropLast().reversed() + [lines[lines.count - 1]]
        #expect(try described(build(turned.joined(separator: "\n"))) == described(build(Self.osm(Self.land))))
    }

    @Test("Road files that are joined have the base map that one build of all OSM files makes, byte for byte")
    func joined() throws {
        let directory = try TemporaryDirectory()
        let osm = [
            try directory.write(Self.osm(Self.land), to: "a.osm"),
            try directory.write(
                Self.osm(Self.land.replacing("Käfertal", with: "Waldhof")).replacing("id=\"5", with: "id=\"75"),
                to: "b.osm"),
        ]
        let files = try osm.enumerated().map { index, path in
            try directory.write(RoadBuild.build([path]) { _ in }.file, to: "\(index).roads")
        }
        let together = try RoadBuild.build(osm) { _ in }.file
        #expect(try described(together).count > 6)
        #expect(try RoadBuild.build(files) { _ in }.file.elementsEqual(together))
        #expect(try JoinedRoads.open(files).fingerprint == RoadNetwork(RoadFileBuffer(together)).fingerprint)
        let plain = try RoadBuild.build(files, keepsBaseMap: false) { _ in }.file
        #expect(plain.elementsEqual(try RoadBuild.build(osm, keepsBaseMap: false) { _ in }.file))
    }
}
