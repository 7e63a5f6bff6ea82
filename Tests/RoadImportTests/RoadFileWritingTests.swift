import Foundation
import RoadImport
import Roads
import Testing

@Suite("A road file is written whole or not at all, and opened where it lies")
struct RoadFileWritingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func roadFile(_ text: String = OSMText.xml) throws -> [UInt8] {
        try RoadBuild.build([directory.write(text, to: "in.osm")]) { _ in }.file
    }

    @Test("what is written is what is opened, and nothing else is left behind")
    func written() throws {
        let bytes = try roadFile()
        let path = directory.path + "/out.roads"
        try writeAtomically(bytes, to: path)
        let network = try RoadNetwork.open(path)
        try network.verify()
        #expect(network.edgeCount == 6)
        #expect(network.fingerprint == (try RoadNetwork(RoadFileBuffer(bytes)).fingerprint))
        let file = try MappedFile(path)
        withExtendedLifetime(file) { #expect(file.bytes.elementsEqual(bytes)) }
        #expect(directory.files == ["in.osm", "out.roads"])
    }

    @Test("a file that is replaced stays readable for those who have it open")
    func replaced() throws {
        let path = directory.path + "/out.roads"
        try writeAtomically(roadFile(), to: path)
        let old = try RoadNetwork.open(path)
        try writeAtomically(roadFile(OSMText.xml.replacing("Süd &amp; Nord", with: "Ring")), to: path)
        let new = try RoadNetwork.open(path)
        try old.verify()
        #expect(names(old).contains("Süd & Nord"))
        #expect(names(new).contains("Ring"))
        #expect(!names(new).contains("Süd & Nord"))
    }

    @Test("a link stays one, and the file that it leads to is replaced, or made", arguments: [true, false])
    func link(isThere: Bool) throws {
        let target = directory.path + "/2026-11.roads"
        if isThere { _ = try directory.write([7], to: "2026-11.roads") }
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/region.roads", withDestinationPath: "2026-11.roads")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/current", withDestinationPath: directory.path + "/region.roads")
        try writeAtomically([1, 2, 3], to: directory.path + "/current")
        #expect(try Data(contentsOf: URL(filePath: target)).elementsEqual([1, 2, 3]))
        #expect(directory.files == ["2026-11.roads", "current", "region.roads"])
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: directory.path + "/region.roads")
        #expect(link == "2026-11.roads")
    }

    @Test("a pipe is written into, as a device is, and not replaced")
    func pipe() throws {
        let path = directory.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        try writeAtomically([1, 2, 3], to: path)
        var bytes: [UInt8] = [0, 0, 0, 0]
        #expect(read(reader, &bytes, 4) == 3 && bytes == [1, 2, 3, 0])
        let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(type != .typeRegular && directory.files == ["pipe"])
    }

    private func names(_ network: RoadNetwork) -> Set<String> {
        Set((0..<network.edgeCount).map { network.name(EdgeID($0)) })
    }

    @Test("where the file cannot take its name, the error names it and no half file is left")
    func notRenamed() throws {
        try directory.makeFolder("out.roads")
        let path = directory.path + "/out.roads"
        let error = try #require(throws: FileError.self) { try writeAtomically([1, 2, 3], to: path) }
        #expect(error.path == path)
        #expect(error.description == "\(path): Is a directory")
        #expect(directory.files == ["out.roads"])
    }

    @Test("where there is no directory, the error names the file")
    func noDirectory() throws {
        let path = directory.path + "/nowhere/out.roads"
        let error = try #require(throws: FileError.self) { try writeAtomically([1, 2, 3], to: path) }
        #expect(error.description == "\(path): No such file or directory")
    }

    @Test(
        "into a directory that is read-only nothing is written, and an older file stays as it was",
        .enabled(if: geteuid() != 0, "the superuser may write into any directory"))
    func readOnlyDirectory() throws {
        let path = try directory.write([7], to: "out.roads")
        let older = directory.path + "/older.roads"
        chmod(directory.path, 0o555)
        defer { chmod(directory.path, 0o755) }
        for path in [path, older] {
            let error = try #require(throws: FileError.self) { try writeAtomically([1, 2, 3], to: path) }
            #expect(error.description == "\(path): Permission denied")
        }
        #expect(directory.files == ["out.roads"])
        #expect(try Data(contentsOf: URL(filePath: path)).elementsEqual([7]))
    }

    @Test(
        "what is no road file is refused by name, with what to do",
        arguments: [("empty.roads", []), ("text.roads", Array("no roads here, but some length".utf8))]
            as [(String, [UInt8])])
    func foreign(name: String, content: [UInt8]) throws {
        let path = try directory.write(content, to: name)
        let error = try #require(throws: FileError.self) { try RoadNetwork.open(path) }
        #expect(error.path == path)
        #expect(error.description.contains("headroom roads build"))
    }

    @Test(
        "what is no file at all is refused by name",
        arguments: [
            ("missing.roads", "No such file or directory"), ("folder.roads", "expected a file, got a directory"),
        ])
    func noFile(name: String, reason: String) throws {
        try directory.makeFolder("folder.roads")
        let path = directory.path + "/" + name
        let error = try #require(throws: FileError.self) { try RoadNetwork.open(path) }
        #expect(error.description == "\(path): \(reason)")
    }
}
