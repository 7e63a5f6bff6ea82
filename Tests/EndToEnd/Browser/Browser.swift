import Foundation
import Geo
import Messages
import Testing

/// A headless Chromium with one page, driven by the W3C's WebDriver protocol through a chromedriver of its own.
final class Browser {
    struct Size {
        var width: Int
        var height: Int

        static let desktop = Size(width: 1280, height: 800)
        static let phone = Size(width: 360, height: 740)
    }

    private let driver: ChildProcess
    private let http: LoopbackHTTP
    private let session: String
    private let processID: pid_t

    /// - Parameter isDark: what the page hears the system prefers.
    static func started(_ scratch: Scratch, size: Size = .desktop, isDark: Bool = false) async throws -> Browser {
        let port = try LoopbackPort.free()
        let driver = try ChildProcess(
            Repository.tool("chromedriver"), ["--port=\(port)", "--allowed-ips=127.0.0.1"], scratch,
            name: "chromedriver-\(port)")
        try await eventually(within: .seconds(20), "chromedriver does not listen: \(driver.errors)") {
            LoopbackPort.isTaken(port)
        }
        let browser = try await Browser(driver, port: port, profile: scratch.path("chromium-\(port)"))
        try await browser.resize(size)
        try await browser.prefer(dark: isDark)
        return browser
    }

    private init(_ driver: ChildProcess, port: Int, profile: String) async throws {
        self.driver = driver
        http = LoopbackHTTP(port: port)
        let capabilities: [String: Any] = [
            "browserName": "chrome",
            "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": [
                "binary": Repository.tool("chromium"),
                "args": [
                    "--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader",
                    "--user-data-dir=\(profile)", "--lang=en-US", "--force-color-profile=srgb",
                    // A test's touch counts as a viewer's.
                    "--autoplay-policy=user-gesture-required",
                ],
            ],
        ]
        let answer = try await Self.ask(http, "POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        let value = try #require(answer as? [String: Any])
        session = try #require(value["sessionId"] as? String)
        let granted = try #require(value["capabilities"] as? [String: Any])
        processID = try #require(granted["goog:processID"] as? Int32)
    }

    /// A chromedriver that is killed leaves its browser behind.
    deinit { kill(processID, SIGKILL) }

    func quit() async throws {
        try await ask("DELETE")
        try await driver.stop()
    }

    // MARK: The window

    func open(_ url: String) async throws { try await ask("POST", "url", ["url": url]) }

    /// Of the page itself: a window is never narrower than 500 pixels.
    func resize(_ size: Size) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": false])
    }

    /// - Parameters:
    ///   - width: and height: in CSS pixels.
    ///   - scale: the device's own pixels in a CSS pixel.
    func resize(width: Int, height: Int, scale: Double) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": true])
    }

    func prefer(dark: Bool, reducedMotion: Bool = true) async throws {
        let features = [
            ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"],
            ["name": "prefers-reduced-motion", "value": reducedMotion ? "reduce" : "no-preference"],
        ]
        try await command("Emulation.setEmulatedMedia", ["features": features])
    }

    /// Gives the position to pages of the origin of the page that is open, as a user who is asked does.
    func allowPosition() async throws {
        let body: [String: Any] = ["descriptor": ["name": "geolocation"], "state": "granted"]
        try await ask("POST", "permissions", body)
    }

    /// Where the device is from now on.
    func move(to fix: Fix) async throws {
        try await command(
            "Emulation.setGeolocationOverride",
            ["latitude": fix.position.latitude, "longitude": fix.position.longitude, "accuracy": fix.accuracy ?? 5])
    }

    /// Whether the page has a network.
    func setOnline(_ isOnline: Bool) async throws {
        try await command("Network.enable", [:])
        try await command(
            "Network.emulateNetworkConditions",
            ["offline": !isOnline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    }

    func screenshot() async throws -> Data {
        let text = try #require(try await ask("GET", "screenshot") as? String)
        return try #require(Data(base64Encoded: text))
    }

    /// How many pixels of what is seen have a colour, such as `#00626e`.
    func pixels(of colour: String) async throws -> Int {
        let script = """
            const [text, colour, done] = arguments;
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            createImageBitmap(new Blob([bytes], {type: "image/png"})).then((image) => {
              const canvas = new OffscreenCanvas(image.width, image.height);
              const pen = canvas.getContext("2d");
              pen.drawImage(image, 0, 0);
              const {data} = pen.getImageData(0, 0, image.width, image.height);
              const wanted = parseInt(colour.slice(1), 16);
              let count = 0;
              for (let at = 0; at < data.length; at += 4) {
                if ((data[at] << 16 | data[at + 1] << 8 | data[at + 2]) === wanted) count += 1;
              }
              done(count);
            });
            """
        let picture = try await screenshot().base64EncodedString()
        let count = try await ask("POST", "execute/async", ["script": script, "args": [picture, colour]])
        return try #require(count as? Int)
    }

    // MARK: The page

    /// Has the page write what it saves next into `document.body.dataset.saved`: no page can read a saved file.
    static let noteSavedFile = """
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { document.body.dataset.saved = text; }); return make(blob); };
        """

    /// What the body of a function returns; `arguments` are what it is called with.
    @discardableResult
    func run(_ script: String, _ arguments: [Any] = []) async throws -> Any? {
        try await ask("POST", "execute/sync", ["script": script, "args": arguments])
    }

    /// What the body of a function hands to `done`.
    func runAsync(_ script: String) async throws -> Any? {
        try await ask("POST", "execute/async", ["script": "const [done] = arguments; \(script)", "args": []])
    }

    /// The visible text of the first element; nil: there is none, or it is not shown.
    func text(_ selector: String) async throws -> String? {
        try await run(
            "const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e.innerText : null",
            [selector])
            as? String
    }

    func texts(_ selector: String) async throws -> [String] {
        try await run("return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText)", [selector])
            as? [String] ?? []
    }

    func count(_ selector: String) async throws -> Int { try await texts(selector).count }

    /// What the browser writes about the page's errors since the last call: text and where it comes from.
    func complaints() async throws -> [(text: String, source: String)] {
        let entries = try await ask("POST", "se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.filter { ["SEVERE", "WARNING"].contains($0["level"] as? String) }
            .map { ($0["message"] as? String ?? "", $0["source"] as? String ?? "") }
    }

    // MARK: Elements

    /// As the protocol names it.
    private func element(_ selector: String) async throws -> String {
        let answer =
            try await ask("POST", "element", ["using": "css selector", "value": selector]) as? [String: String]
        return try #require(answer?.values.first, "there is no \(selector)")
    }

    func click(_ selector: String) async throws {
        try await ask("POST", "element/\(element(selector))/click", [:])
    }

    func write(_ text: String, into selector: String) async throws {
        let id = try await element(selector)
        try await ask("POST", "element/\(id)/clear", [:])
        try await ask("POST", "element/\(id)/value", ["text": text])
    }

    // MARK: Pointer and keys

    enum Pointer: String {
        case mouse
        /// A finger.
        case touch
    }

    /// Leaves the mouse on an element.
    func hover(_ selector: String) async throws {
        let origin = ["element-6066-11e4-a52e-4f735466cecf": try await element(selector)]
        try await act(.mouse, [["type": "pointerMove", "duration": 20, "x": 0, "y": 0, "origin": origin]])
    }

    /// Clicks at points of the page, one after the other.
    func clickAt(_ points: [(x: Int, y: Int)], with pointer: Pointer = .mouse) async throws {
        for (x, y) in points {
            try await act(
                pointer,
                [
                    ["type": "pointerMove", "duration": 20, "x": x, "y": y], ["type": "pointerDown", "button": 0],
                    ["type": "pointerUp", "button": 0], ["type": "pause", "duration": 400],
                ])
        }
    }

    func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int), with pointer: Pointer = .mouse) async throws {
        try await act(
            pointer,
            [
                ["type": "pointerMove", "duration": 20, "x": start.x, "y": start.y],
                ["type": "pointerDown", "button": 0],
                ["type": "pointerMove", "duration": 300, "x": end.x, "y": end.y], ["type": "pointerUp", "button": 0],
            ])
    }

    private func act(_ pointer: Pointer, _ actions: [[String: Any]]) async throws {
        let pointer: [String: Any] = [
            "type": "pointer", "id": pointer.rawValue, "parameters": ["pointerType": pointer.rawValue],
            "actions": actions,
        ]
        try await ask("POST", "actions", ["actions": [pointer]])
    }

    /// Types on the keyboard, wherever the focus is.
    func press(_ keys: Key...) async throws {
        let actions = keys.flatMap { key in
            [["type": "keyDown", "value": key.rawValue], ["type": "keyUp", "value": key.rawValue]]
        }
        try await ask("POST", "actions", ["actions": [["type": "key", "id": "keys", "actions": actions]]])
    }

    enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case down = "\u{E015}"
    }

    // MARK: Protocol

    /// Of Chromium's own protocol.
    @discardableResult
    func command(_ name: String, _ parameters: [String: Any]) async throws -> Any? {
        try await ask("POST", "goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    @discardableResult
    private func ask(_ method: String, _ path: String = "", _ body: [String: Any]? = nil) async throws -> Any? {
        try await Self.ask(http, method, "/session/\(session)\(path == "" ? "" : "/\(path)")", body)
    }

    private struct BrowserError: Error, CustomStringConvertible {
        var description: String
    }

    private static func ask(
        _ http: LoopbackHTTP, _ method: String, _ path: String, _ body: [String: Any]?
    ) async throws -> Any? {
        let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let (status, data) = try await http.ask(method, path, bytes)
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let value = answer?["value"]
        guard status == 200 else {
            let problem = value as? [String: Any]
            throw BrowserError(
                description: "\(method) \(path): \(problem?["message"] as? String ?? "\(data.count) bytes")")
        }
        return value is NSNull ? nil : value
    }
}
