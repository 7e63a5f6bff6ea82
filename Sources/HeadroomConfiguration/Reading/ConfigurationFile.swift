import Foundation
import Yams

/// The YAML file the settings stand in.
struct ConfigurationFile {
    /// The shipped file has about 10 KB; a road file named by mistake has more than this.
    static let bytesMax = 1_000_000

    private let path: String

    /// The root of the file at `path`: a group of keys, or empty.
    static func root(_ path: String) throws(SettingsError) -> SettingNode {
        let file = ConfigurationFile(path: path)
        let root = try node(file.text(), origin: .file(path, line: 1, column: 1), directory: directory(of: path))
        switch root.shape {
        case .empty, .group: return root
        case .text, .list:
            let right = "write keys and values, such as broker: {url: \"mqtt://127.0.0.1:1883\"}"
            throw SettingsError([root.problem(wrong: "the file holds no keys", right: right)])
        }
    }

    /// `yaml` as a nameless node; empty where there is nothing but comments.
    static func node(
        _ yaml: String, name: String = "", origin: SettingOrigin, directory: String
    ) throws(SettingsError) -> SettingNode {
        do {
            let root = try Parser(yaml: yaml, encoding: .utf8).singleRoot() ?? Node("")
            return SettingNode(root, name: name, origin: origin.moved(to: root.mark), directory: directory)
        } catch let error as YamlError {
            throw SettingsError([error.problem(at: origin, yaml: yaml)])
        } catch {
            throw SettingsError([SettingsProblem(origin, wrong: "\(error)", right: "mend the YAML")])
        }
    }

    private func text() throws(SettingsError) -> String {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw refused("there is no such file", "name the configuration file")
        }
        guard !isDirectory.boolValue else {
            throw refused("this is a directory", "name the configuration file in it")
        }
        guard let handle = FileHandle(forReadingAtPath: path),
            let bytes = try? handle.read(upToCount: Self.bytesMax + 1) ?? Data()
        else { throw refused("this file cannot be read", "let this user read it") }
        guard bytes.count <= Self.bytesMax else {
            throw refused("this is over \(Self.bytesMax) bytes long", "name the configuration file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw refused("this is not UTF-8", "name the configuration file, or save it as UTF-8")
        }
        return text
    }

    private func refused(_ wrong: String, _ right: String) -> SettingsError {
        SettingsError([SettingsProblem(.file(path, line: 0, column: 0), wrong: wrong, right: right)])
    }

    /// Absolute; that of the process for nil.
    static func directory(of path: String?) -> String {
        let here = FileManager.default.currentDirectoryPath
        guard let path else { return here }
        return URL(filePath: path, directoryHint: .notDirectory, relativeTo: URL(filePath: here + "/"))
            .absoluteURL.deletingLastPathComponent().path(percentEncoded: false).withoutLastSlash
    }
}

extension String {
    fileprivate var withoutLastSlash: String {
        count > 1 && hasSuffix("/") ? String(dropLast()) : self
    }
}

extension YamlError {
    fileprivate func problem(at origin: SettingOrigin, yaml: String) -> SettingsProblem {
        switch self {
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.sorted().joined(separator: ", ")
            return SettingsProblem(
                origin.moved(to: context.mark), wrong: "\(names) is written again further down in the same place",
                right: "keep one of them")
        case .composer(.some, let problem, let mark, _) where problem.contains("another document"):
            return SettingsProblem(
                origin.moved(to: mark), wrong: "a second YAML document begins", right: "keep one document")
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let begun = context.map { " \($0.text) begun in line \($0.mark.line)" } ?? ""
            return SettingsProblem(
                origin.moved(to: mark), wrong: "this is not YAML: \(problem)\(begun)", right: Self.advice)
        case .reader(let problem, let offset, _, _):
            let before = yaml.prefix(offset ?? 0).split(separator: "\n", omittingEmptySubsequences: false)
            return SettingsProblem(
                origin.moved(line: max(before.count, 1), column: (before.last?.count ?? 0) + 1),
                wrong: "this is not YAML: \(problem)", right: "remove the character")
        default:
            return SettingsProblem(origin, wrong: "this is not YAML: \(self)", right: Self.advice)
        }
    }

    private static var advice: String {
        "look for a missing quote, bracket or colon, a tab or a wrong indentation"
    }
}
