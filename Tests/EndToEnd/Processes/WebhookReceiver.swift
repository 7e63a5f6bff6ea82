import Foundation
import Testing

/// An HTTP server that takes webhooks' messages, in a program of its own: it checks signatures with Python's library.
final class WebhookReceiver {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    struct Request: Decodable {
        var id: String
        /// Whether the signature is right and as old as the request.
        var isSigned: Bool
        /// What it was answered.
        var status: Int
        var body: String
    }

    let port: Int
    private let scratch: Scratch
    private var process: ChildProcess?
    private var starts = 0

    init(_ scratch: Scratch) throws {
        self.scratch = scratch
        port = try LoopbackPort.free()
    }

    var url: String { "http://127.0.0.1:\(port)/alerts" }

    /// - Parameter failures: how many requests it answers with 500 before the first 200.
    func start(failures: Int) async throws {
        starts += 1
        let script = try scratch.write(Self.script, to: "receiver.py")
        process = try ChildProcess(
            Repository.tool("python3"), ["-u", script, "\(port)", "\(failures)", Self.secret], scratch,
            name: "receiver-\(starts)")
        try await eventually(within: .seconds(10), "no receiver: \(process?.errors ?? "")") {
            LoopbackPort.isTaken(port)
        }
    }

    func stop() async throws { try await process?.stop(SIGKILL) }

    /// Of all starts.
    var requests: [Request] {
        let lines = (0..<starts).flatMap { scratch.text("receiver-\($0 + 1).out").split(separator: "\n") }
        return lines.compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    private static let script = """
        import base64, hashlib, hmac, http.server, json, sys, threading, time

        port, failures, secret = int(sys.argv[1]), int(sys.argv[2]), base64.b64decode(sys.argv[3][6:])
        # Who has the answer may send the next message before the line of this one is written.
        order = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                global failures
                body = self.rfile.read(int(self.headers["content-length"]))
                id, seconds = self.headers["webhook-id"], self.headers["webhook-timestamp"]
                code = hmac.new(secret, f"{id}.{seconds}.".encode() + body, hashlib.sha256).digest()
                signature = "v1," + base64.b64encode(code).decode()
                signed = self.headers["webhook-signature"] == signature and abs(time.time() - int(seconds)) < 300
                with order:
                    status = 500 if failures > 0 else 200
                    failures -= 1
                    self.send_response(status)
                    self.send_header("content-length", "0")
                    self.end_headers()
                    print(json.dumps({"id": id, "isSigned": signed, "status": status, "body": body.decode()}))

        http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
        """
}
