import Foundation
import Testing

/// The table of the Architecture article says which target may import which; every file keeps to it.
struct ImportTests {
    /// By target: the targets of this package that it may import.
    private static func allowed() throws -> [String: Set<String>] {
        let article = try Repository.text("\(Repository.catalogue)/Architecture.md")
        let table = try #require(article.components(separatedBy: "| target | holds | imports |\n|---|---|---|\n").last)
        var allowed: [String: Set<String>] = [:]
        for row in table.split(separator: "\n", omittingEmptySubsequences: false).prefix(while: { $0.hasPrefix("|") }) {
            let cells = row.split(separator: "|").map { $0.trimming(" ") }
            let imports = cells[2].split(separator: ",").map { $0.trimming(" ") }
            for name in cells[0].split(separator: ",") { allowed[name.trimming(" `")] = Set(imports) }
        }
        return allowed
    }

    @Test("Every target of Sources is in the table")
    func isComplete() throws {
        let folders = Repository.files(under: "Sources", "").map { String($0.split(separator: "/")[1]) }
        #expect(Set(try Self.allowed().keys) == Set(folders))
    }

    @Test("No file imports what the table does not allow its target")
    func imports() throws {
        let allowed = try Self.allowed()
        for file in Repository.files(under: "Sources", ".swift") {
            let target = String(file.split(separator: "/")[1])
            for module in try Self.imports(of: file) where allowed.keys.contains(module) {
                #expect(allowed[target]?.contains(module) == true, "\(file) imports \(module)")
            }
        }
    }

    private static func imports(of file: String) throws -> [String] {
        let statement =
            #/(?m)^\s*(?:@\w+ )*(?:public |package |internal )?import (?:typealias |struct |class |enum |func )?(?<module>\w+)/#
        return try Repository.text(file).matches(of: statement).map { String($0.module) }
    }

    @Test("A target that imports another one names it in Package.swift: else only builds that have it already succeed")
    func dependencies() throws {
        let targets = try Self.declaredTargets()
        #expect(
            targets["RepositoryTests"]?.folder == "Tests/RepositoryTests" && targets["Roads"]?.folder == "Sources/Roads"
        )
        for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
            for file in Repository.files(under: target.folder, ".swift") {
                for module in try Self.imports(of: file) where targets.keys.contains(module) {
                    #expect(target.dependencies.contains(module), "\(file) imports \(module): \(name) does not name it")
                }
            }
        }
    }

    /// By name: where the files of each target are, and all names that its declaration has.
    private static func declaredTargets() throws -> [String: (folder: String, dependencies: Set<String>)] {
        let package = try Repository.text("Package.swift")
        let list = try #require(package.range(of: "    targets: ["))
        let begin = #/(?m)^ {8}\.?(?:target|tests|program|executableTarget|testTarget|systemLibrary)\(/#
        let starts = package[list.upperBound...].matches(of: begin).map(\.range.lowerBound) + [package.endIndex]
        return Dictionary(
            uniqueKeysWithValues: try zip(starts, starts.dropFirst()).map { start, end in
                let declaration = package[start..<end]
                let names = declaration.matches(of: #/"(?<text>[^"]*)"/#).map { String($0.text) }
                let name = try #require(names.first)
                let path = declaration.firstMatch(of: #/path: "(?<text>[^"]*)"/#).map { String($0.text) }
                let folder = try #require(
                    ([path] + ["Sources/\(name)", "Tests/\(name)"]).lazy.compactMap(\.self).first(
                        where: Repository.exists))
                return (name, (folder, Set(names.dropFirst())))
            })
    }

    @Test("The arrows form no cycle")
    func order() throws {
        var left = try Self.allowed()
        while !left.isEmpty {
            let leaves = left.filter { $0.value.isDisjoint(with: left.keys) }.map(\.key)
            try #require(!leaves.isEmpty, "a cycle among \(left.keys.sorted())")
            for leaf in leaves { left[leaf] = nil }
        }
    }
}

extension StringProtocol {
    fileprivate func trimming(_ characters: String) -> String {
        let front = drop { characters.contains($0) }
        return String(String(front.reversed().drop { characters.contains($0) }).reversed())
    }
}
