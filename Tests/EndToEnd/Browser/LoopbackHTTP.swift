import Foundation
import Testing

/// One HTTP request to a program of this machine. (Foundation's does not read the headers that chromedriver writes.)
struct LoopbackHTTP {
    /// A browser that starts on a busy machine takes half of it.
    private static let secondsMax = 60

    let port: Int

    /// - Returns: the status and the body.
    func ask(_ method: String, _ path: String, _ body: Data?) async throws -> (status: Int, body: Data) {
        // It waits for the answer on a thread that nobody else needs.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(method, path, body) })
            }
        }
    }

    private func exchange(_ method: String, _ path: String, _ body: Data?) throws -> (status: Int, body: Data) {
        let socket = try LoopbackPort.connected(port)
        defer { close(socket) }
        var timeout = timeval(tv_sec: Self.secondsMax, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json\r
            Content-Length: \(body?.count ?? 0)\r
            Connection: close\r
            \r

            """
        try FileHandle(fileDescriptor: socket).write(contentsOf: Data(head.utf8) + (body ?? Data()))
        var answer = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(socket, &piece, piece.count, 0), count > 0 {
            answer += piece[..<count]
            if let (status, body) = try Self.parse(answer) { return (status, body) }
        }
        throw Broken(description: "\(method) \(path): the answer breaks off after \(answer.count) bytes")
    }

    /// Nil where it is not complete yet.
    private static func parse(_ answer: Data) throws -> (status: Int, body: Data)? {
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let name = "content-length:"
        let length = try #require(
            lines.first { $0.lowercased().hasPrefix(name) }.flatMap {
                Int($0.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
            })
        let body = answer[end.upperBound...]
        return body.count < length ? nil : (status, Data(body))
    }

    struct Broken: Error, CustomStringConvertible {
        var description: String
    }
}
