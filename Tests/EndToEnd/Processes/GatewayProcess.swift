import Foundation
import Testing

/// A `headroom serve` of a test's own, with a configuration, a store and a console port of its own.
final class GatewayProcess {
    let name: String
    let consolePort: Int
    let configuration: String
    private let scratch: Scratch
    private let environment: [String: String]
    private(set) var process: ChildProcess?
    private var starts = 0

    /// - Parameters:
    ///   - broker: URL.
    ///   - access: further members of the `broker` setting, such as `username: headroom`.
    ///   - roads: nil: no road file.
    ///   - store: nil: one of its own.
    ///   - console: further members of the configuration's `console`.
    ///   - more: further lines of the configuration.
    ///   - environment: beside what this process has.
    init(
        _ scratch: Scratch, broker: String, access: [String] = [], roads: String?, name: String = "gateway",
        clientID: String? = nil, store: String? = nil, consolePort: Int? = nil, console: String = "", more: String = "",
        environment: [String: String] = [:]
    ) throws {
        self.name = name
        self.scratch = scratch
        self.environment = environment
        self.consolePort = try consolePort ?? LoopbackPort.free()
        configuration = try scratch.write(
            """
            broker: {\((["url: \"\(broker)\"", "client_id: \(clientID ?? name)"] + access).joined(separator: ", "))}
            roads: [\(roads ?? "")]
            store: \(store ?? "\(name).sqlite")
            console: {listen: "127.0.0.1:\(self.consolePort)"\(console == "" ? "" : ", \(console)")}
            \(more)
            """, to: "\(name).yaml")
    }

    /// Does not wait until it is ready.
    func launch() throws {
        starts += 1
        process = try ChildProcess(
            Repository.program, ["serve", "--config", configuration], scratch, name: "\(name)-\(starts)",
            environment: environment)
    }

    func start() async throws {
        try launch()
        try await becomeReady(within: .seconds(20))
    }

    func becomeReady(within limit: Duration) async throws {
        try await eventually(within: limit, "the gateway is not ready: \(errors.suffix(800))") {
            try #require(isRunning, "the gateway has ended: \(errors.suffix(800))")
            return try await get("/readyz").status == 200
        }
    }

    var isRunning: Bool { process?.isRunning ?? false }
    /// Of the latest start.
    var errors: String { process?.errors ?? "" }

    func send(_ signal: Int32) { process?.send(signal) }

    func end(within limit: Duration) async throws -> ChildProcess.Ending {
        try await #require(process).end(within: limit)
    }

    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async throws -> ChildProcess.Ending {
        try await #require(process).stop(signal)
    }

    // MARK: Its console

    /// Status 0 where nobody answers.
    func get(_ path: String) async throws -> (status: Int, body: String) {
        let url = "http://127.0.0.1:\(consolePort)\(path)"
        let curl = try await run(
            Repository.tool("curl"), ["-s", "--max-time", "5", "-w", "\n%{http_code}", url], scratch)
        let lines = curl.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.last.flatMap { Int($0) } ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    /// The series of one metric that are not 0, by their labels; the one without any by an empty text.
    func metric(_ name: String) async throws -> [String: Double] {
        let lines = try await get("/metrics").body.split(separator: "\n").filter { $0.hasPrefix(name) }
        let pairs = lines.compactMap { line -> (String, Double)? in
            let rest = line.dropFirst(name.count)
            guard let space = rest.lastIndex(of: " "), rest.first == "{" || rest.first == " ",
                let value = Double(rest[rest.index(after: space)...]), value != 0
            else { return nil }
            return (String(rest[..<space]), value)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// A road file made from the demo's map by the program under test.
///
/// - Parameter more: elements of OSM XML that the extract has too.
func demoRoads(_ scratch: Scratch, more: String = "") async throws -> String {
    let extract = try String(contentsOfFile: Repository.demoMap, encoding: .utf8)
    return try await roads(of: extract.replacing("</osm>", with: more + "</osm>"), named: "ann-arbor", scratch)
}

/// A road file made from OSM XML by the program under test.
func roads(of map: String, named name: String, _ scratch: Scratch) async throws -> String {
    let file = scratch.path("\(name).roads")
    let extract = try scratch.write(map, to: "\(name).osm")
    let build = try await run(Repository.program, ["roads", "build", extract, "-o", file], scratch)
    try #require(build.status == 0, "roads build: \(build.errors)")
    return file
}
