import Foundation
import Testing

/// A program that uses a gateway's API, with curl.
struct ConsoleClient {
    let gateway: GatewayProcess
    let scratch: Scratch
    /// Nil: it shows none.
    var token: String?

    struct Answer {
        /// 0: nobody answered.
        var status: Int
        var body: String

        /// Empty where it is no object.
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }

        var items: [[String: Any]] { object["items"] as? [[String: Any]] ?? [] }
        var message: String { (object["error"] as? [String: Any])?["message"] as? String ?? "" }
    }

    func get(_ path: String) async throws -> Answer { try await ask("GET", path) }

    func delete(_ path: String) async throws -> Answer { try await ask("DELETE", path) }

    func put(_ path: String, _ body: String) async throws -> Answer { try await ask("PUT", path, body) }

    /// The ETag of an answer.
    func tag(_ path: String) async throws -> String {
        let url = "http://127.0.0.1:\(gateway.consolePort)/api/v1\(path)"
        let arguments = ["-s", "--max-time", "15", "-o", scratch.path("tagged"), "-w", "%header{etag}", url]
        return try await run(Repository.tool("curl"), arguments, scratch).output
    }

    /// The same so many times over connections of their own.
    ///
    /// - Parameter header: one more, as `If-Match: *`.
    /// - Returns: how they were answered, in ascending order.
    func put(_ path: String, _ body: String, header: String, atOnce count: Int) async throws -> [Int] {
        let file = try scratch.write(body, to: "body-\(UUID().uuidString)")
        let arguments = [
            "-s", "--max-time", "30", "--parallel", "--parallel-immediate", "--parallel-max", "\(count)", "-X", "PUT",
            "-H", header, "-w", "%{http_code}\n", "--data-binary", "@" + file,
        ]
        let url = "http://127.0.0.1:\(gateway.consolePort)/api/v1\(path)"
        let urls = (0..<count).flatMap { ["-o", scratch.path("answer-\($0)"), url] }
        return try await run(Repository.tool("curl"), arguments + urls, scratch).output.split(separator: "\n")
            .compactMap { Int($0) }.sorted()
    }

    func post(_ path: String, _ body: String? = nil) async throws -> Answer { try await ask("POST", path, body) }

    /// Of an answer that is no text.
    func size(_ path: String) async throws -> (status: Int, bytes: Int) {
        let format = "%{http_code} %{size_download}"
        let url = "http://127.0.0.1:\(gateway.consolePort)/api/v1\(path)"
        let arguments = ["-s", "--max-time", "15", "-o", scratch.path("answer"), "-w", format, url]
        let numbers = try await run(Repository.tool("curl"), arguments, scratch).output.split(separator: " ").map {
            Int($0) ?? 0
        }
        return (numbers.first ?? 0, numbers.last ?? 0)
    }

    /// - Parameter path: below `/api/v1`.
    private func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        var arguments = ["-s", "--max-time", "15", "-X", method, "-w", "\n%{http_code}"]
        if let token { arguments += ["-H", "Authorization: Bearer \(token)"] }
        if let body {
            arguments += ["--data-binary", "@" + (try scratch.write(body, to: "body-\(UUID().uuidString)"))]
        }
        let url = "http://127.0.0.1:\(gateway.consolePort)/api/v1\(path)"
        let curl = try await run(Repository.tool("curl"), arguments + [url], scratch)
        let lines = curl.output.split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(
            status: lines.last.flatMap { Int($0) } ?? 0, body: lines.dropLast().joined(separator: "\n"))
    }

    /// A stream that writes down what it hears.
    func stream(_ query: String = "", name: String = "stream") throws -> ChildProcess {
        let url = "http://127.0.0.1:\(gateway.consolePort)/api/v1/stream\(query)"
        let header = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try ChildProcess(Repository.tool("curl"), ["-sN"] + header + [url], scratch, name: name)
    }
}
