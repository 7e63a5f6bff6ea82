import Foundation

/// A crossing with a bridge, a height on a node and a banned turn, in every text format that is read; and a directory to
/// write it to.
///
///          3
///          │ 11: 13'6", residential
///     1────2────4
///       10   12: service        no left turn from 10 to 11
enum OSMText {
    static let xml = """
        <osm version="0.6">
        <node id="1" lat="49.5" lon="8.5"/>
        <node id="2" lat="49.5" lon="8.51"><tag k="maxheight" v="3.8"/></node>
        <node id="3" lat="49.51" lon="8.51"/>
        <node id="4" lat="49.5" lon="8.52"/>
        <way id="10"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/><tag k="name" v="Süd &amp; Nord"/></way>
        <way id="11"><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="maxheight" v="13'6&quot;"/></way>
        <way id="12"><nd ref="2"/><nd ref="4"/><tag k="highway" v="service"/></way>
        <relation id="20"><member type="way" ref="10" role="from"/><member type="node" ref="2" role="via"/><member \
        type="way" ref="11" role="to"/><tag k="type" v="restriction"/><tag k="restriction" v="no_left_turn"/></relation>
        </osm>

        """

    static let opl = """
        n1 x8.5 y49.5
        n2 x8.51 y49.5 Tmaxheight=3.8
        n3 x8.51 y49.51
        n4 x8.52 y49.5
        w10 Thighway=primary,name=Süd%20%%26%%20%Nord Nn1,n2
        w11 Thighway=residential,maxheight=13'6" Nn2,n3
        w12 Thighway=service Nn2,n4
        r20 Ttype=restriction,restriction=no_left_turn Mw10@from,n2@via,w11@to

        """

    /// The XML above through `gzip -9` and `bzip2`.
    static let gzip = bytes(
        """
        H4sIAAAAAAAC/3WSTXKDMAyF9zmFx4t0x38z6QRzhG56gIwbRPAEY2ocWu7WXS9WGeqpaWFnW5/0niTnqpdkAN0L1TIaBQda7PJWlUBEyWhMScMN
        o9lT8IhHixzxFPpMssrEtMgNv5Ibo5J/1CCutaFkYDQNjpifhzbfL5N6ZWK/zkIsWxVLJuidj7PpCLXbkmiobAfh78VyzlWNjjBj8tRpIbkevWjL
        JUyhl6/Pkuy57E7kWelyso5pvlxM/yi4S7ohp6EXJbRG8MYjlmOK04fD/u2uzGlNMtmSzDYke9CDuIBXSwMOEpc+79COTIJ8BU3M2AGjU+I8wQgP
        qsG3SitpKyxAuxrqnPyAg+D/OK9g7DijPLsWc+MxWlysOS/sv1qqVecGKnM2dz1hoWsIewvxUxe7b1M1nOzbAgAA
        """)

    static let bzip2 = bytes(
        """
        QlpoOTFBWSZTWQAk98wAAIdfjAAQUYH/bwABCAC/7//gAAQIADABWoFCUimepo0yjagaGIAAAYA00NGjEZANABoYJEiaTIQep7UjJtQGhgTR4CNmHn+p
        7meoFwFGmhremB9d+GONZs0Ges7fBNFRrKFW1Vjkhtc5IR6Qf1wBEukVVMmBC2d96SY1mlUEegrr3IrDiIgBtQ02lkgycBgG/XtyaExMBrHZ9DbObgGO
        IigTCeXAUQyGRDUs/xJ+m2GMU200m1sjbfwYDu+bvUTOiQ1YutBbpAXCeCKV43wxk7UEuRBRT5KvSxVQYP8A0o6k1xRmq8xqAvvOxTopuwDOwoYLpIKS
        enQUVu5Ohe0rJibB66Z9SVoXBiD53O+6LgrugkbECmlUxmp6phSSobY8aZxs4LWBlxbB3VNUaF17oQS7L1BpXerxFjVof39/i7kinChIABJ75gA=
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }
}

/// A directory that is there for as long as its owner.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/roads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Returns: the path of the file written.
    func write(_ content: [UInt8], to name: String) throws -> String {
        let path = path + "/" + name
        try Data(content).write(to: URL(filePath: path))
        return path
    }

    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
    }

    /// The names of the files in it, sorted.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
