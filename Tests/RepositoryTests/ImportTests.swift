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
        let statement =
            #/(?m)^\s*(?:@\w+ )*(?:public |package |internal )?import (?:typealias |struct |class |enum |func )?(?<module>\w+)/#
        for file in Repository.files(under: "Sources", ".swift") {
            let target = String(file.split(separator: "/")[1])
            for match in try Repository.text(file).matches(of: statement)
            where allowed.keys.contains(String(match.module)) {
                #expect(allowed[target]?.contains(String(match.module)) == true, "\(file) imports \(match.module)")
            }
        }
    }

    @Test("The arrows form no cycle")
    func order() throws {
        var left = try Self.allowed()
        while !left.isEmpty {
            let topicSuffixes = left.filter { $0.value.isDisjoint(with: left.keys) }.map(\.key)
            try #require(!topicSuffixes.isEmpty, "a cycle among \(left.keys.sorted())")
            for topicSuffix in topicSuffixes { left[topicSuffix] = nil }
        }
    }
}

extension StringProtocol {
    fileprivate func trimming(_ characters: String) -> String {
        let front = drop { characters.contains($0) }
        return String(String(front.reversed().drop { characters.contains($0) }).reversed())
    }
}
