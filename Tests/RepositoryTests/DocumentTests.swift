import Foundation
import Testing

/// The README and the articles: their links lead somewhere.
struct DocumentTests {
    @Test("The README is short, and all articles are there")
    func extent() throws {
        let lines = try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(lines <= 180)
        #expect(Repository.documents.count >= 9, "\(Repository.documents)")
    }

    @Test("Every link to a file or an article leads to one", arguments: Repository.documents)
    func links(_ file: String) throws {
        let text = try Repository.text(file)
        let folder = Repository.root.appending(path: file).deletingLastPathComponent()
        for match in text.matches(of: #/\]\((?<target>[^)\s]+)\)/#) where !match.target.contains("://") {
            let target = folder.appending(path: String(match.target)).standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: target.path()), "\(match.target)")
        }
        for match in text.matches(of: #/<doc:(?<name>[^>]+)>/#) {
            let target = Repository.root.appending(path: "\(Repository.catalogue)/\(match.name).md")
            #expect(FileManager.default.fileExists(atPath: target.path()), "\(match.name)")
        }
    }

    @Test("Every file of the repository that an article names in code is there", arguments: Repository.documents)
    func namedFiles(_ file: String) throws {
        let named = try Repository.text(file).matches(
            of: #/`(?<path>(?:deploy|config|Tests/Benchmarks|Tests/Campaign)/[\w.\/-]+)`/#)
        for match in named where !match.path.hasPrefix("deploy/secrets/") && !match.path.hasPrefix("deploy/roads") {
            let path = match.path.hasSuffix(".") ? match.path.dropLast() : match.path
            #expect(
                FileManager.default.fileExists(atPath: Repository.root.appending(path: String(path)).path()), "\(path)")
        }
    }

    @Test("Every file and folder of a target that an article names is there", arguments: Repository.documents)
    func namedSources(_ file: String) throws {
        for match in try Repository.text(file).matches(of: #/`(?<target>[A-Z]\w+)\/(?<path>[\w+.\/-]+)`/#)
        where Repository.exists("Sources/\(match.target)") {
            let path = "Sources/\(match.target)/\(match.path)"
            #expect(Repository.exists(path) || Repository.exists("\(path).swift"), "\(path)")
        }
    }
}
