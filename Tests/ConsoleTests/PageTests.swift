import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Console

@Suite("The page")
struct PageTests {
    @Test(
        "The page and its parts are served to all, with their types and a tag",
        arguments: [
            ("/", "text/html; charset=utf-8"), ("/assets/console.js", "text/javascript; charset=utf-8"),
            ("/assets/style/layout.css", "text/css; charset=utf-8"), ("/assets/icon.svg", "image/svg+xml"),
            ("/cab", "text/html; charset=utf-8"), ("/cab/cab.js", "text/javascript; charset=utf-8"),
            ("/cab/manifest.webmanifest", "application/manifest+json"), ("/cab/texts/de.json", "application/json"),
        ])
    func parts(path: String, type: String) async throws {
        let fixture = try ConsoleFixture(authentication: .required)
        let answer = try await fixture.get(path)
        #expect(answer.status == .ok && answer.headers[.contentType] == type)
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        let tag = try #require(answer.headers[.eTag])
        #expect(try await fixture.get(path, headers: [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test("Everything that the page names is served", arguments: ["/", "/cab", "/assets/console.js"])
    func links(path: String) async throws {
        let fixture = try ConsoleFixture()
        let text = try await fixture.get(path).text
        let names = text.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) }
        #expect(path != "/" || !names.isEmpty)
        for name in names { #expect(try await fixture.get(name).status == .ok, "\(name)") }
        // Neither script nor style stands in the page itself: its policy would forbid both.
        #expect(!text.contains("<style") && !text.contains(" style=") && !text.contains("onclick="))
    }

    @Test("The driver's page opens without coverage: its worker keeps all that it is made of")
    func worker() async throws {
        let fixture = try ConsoleFixture()
        let answer = try await fixture.get("/cab/worker.js")
        #expect(answer.headers[HTTPField.Name("Service-Worker-Allowed")!] == "/cab")
        let kept = Set(answer.text.matches(of: /"(\/[a-z\/.-]+)"/).map { String($0.1) })
        var needed: Set<String> = []
        var unread = ["/cab"]
        while let path = unread.popLast() {
            guard needed.insert(path).inserted else { continue }
            let text = try await fixture.get(path).text
            unread += text.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) }
            let folder = URL(filePath: path).deletingLastPathComponent()
            unread += text.matches(of: /from "(\.[^"]+\.js)"/).map { folder.appending(path: $0.1).standardized.path() }
        }
        #expect(needed.count > 5 && needed.isSubset(of: kept), "\(needed.subtracting(kept))")
        for path in kept where path.contains(".") { #expect(try await fixture.get(path).status == .ok, "\(path)") }
    }

    @Test(
        "Nothing but the page's own files is to be had",
        arguments: [
            "/index.html", "/assets", "/assets/", "/assets/../Documents/asyncapi.json", "/assets/%2e%2e/Console.swift",
            "/assets//console.js", "/assets/console.js/", "/Page/index.html", "/assets/maplibre/maplibre-gl.js",
            "/assets/types/api.d.ts", "/tsconfig.json", "/assets/../tsconfig.json",
        ])
    func others(path: String) async throws {
        #expect(try await ConsoleFixture().get(path).status == .notFound)
    }

    @Test("The map's library is served from its folder, and the status says whether it is there")
    func library() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "maplibre-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["maplibre-gl.js", "maplibre-gl.css", "other.js"] {
            try Data("x".utf8).write(to: folder.appending(path: name))
        }
        let fixture = try ConsoleFixture(map: .init(library: folder.path))
        #expect(try await fixture.get("/assets/maplibre/maplibre-gl.js").text == "x")
        #expect(try await fixture.get("/assets/maplibre/other.js").status == .notFound)
        for (fixture, isThere) in [(fixture, true), (try ConsoleFixture(), false)] {
            let map = try #require(try await fixture.get("/api/v1/status").object["map"] as? [String: Any])
            #expect(map["library"] as? Bool == isThere)
        }
    }

    @Test(
        "Where pictures and data may come from is said by the settings, and by nothing else",
        arguments: [
            (nil, nil, ""), ("https://maps.example/a/style.json", nil, " https://maps.example"),
            (nil, "HTTP://Tiles.example:8080/{z}/{x}/{y}.png", " http://tiles.example:8080"),
            (nil, "https://tiles.example:443/{z}", " https://tiles.example"),
        ] as [(String?, String?, String)])
    func policy(style: String?, tiles: String?, origin: String) async throws {
        let fixture = try ConsoleFixture(map: .init(library: "/nowhere", style: style, tiles: tiles))
        let policy = try #require(try await fixture.get("/").headers[.contentSecurityPolicy])
        let parts = policy.split(separator: "; ").map(String.init)
        #expect(parts.contains("default-src 'none'") && parts.contains("script-src 'self'"))
        #expect(parts.contains("style-src 'self'") && parts.contains("frame-ancestors 'none'"))
        #expect(parts.contains("img-src 'self' data: blob:\(origin)"))
        #expect(parts.contains("connect-src 'self'\(origin)"))
        #expect(!policy.contains("unsafe"))
    }

    @Test("HEAD of a stream opens none")
    func headOfStream() async throws {
        let fixture = try ConsoleFixture()
        for _ in 0..<ConsoleLimits.streams + 1 {
            #expect(try await fixture.get("/api/v1/stream", method: .head).status == .ok)
        }
        #expect(try await fixture.get("/metrics").text.contains("\nheadroom_streams 0\n"))
    }

    @Test("Requests are counted by what they were about and how they ended")
    func counts() async throws {
        let fixture = try ConsoleFixture()
        for path in ["/api/v1/vehicles", "/api/v1/vehicles/none", "/api/v1/nothing", "/", "/healthz", "/readyz"] {
            _ = try await fixture.get(path)
        }
        let text = try await fixture.get("/metrics").text
        for (route, status) in [
            ("vehicles", "2xx"), ("vehicles", "4xx"), ("other", "4xx"), ("page", "2xx"), ("health", "2xx"),
            ("health", "5xx"),
        ] {
            #expect(
                text.contains("headroom_http_requests_total{route=\"\(route)\",status=\"\(status)\"} 1\n"),
                "\(route) \(status)")
        }
    }

    @Test(
        "An origin is scheme, host and port of an address that a browser can load",
        arguments: [
            ("https://a.example/x", "https://a.example"), ("http://a.example:80", "http://a.example"),
            ("https://[::1]:8443/x", "https://[::1]:8443"), ("ftp://a.example/x", nil), ("a.example", nil),
            ("https:///x", nil), ("https://{s}.a.example/{z}", nil), ("https://user@a.example/", nil),
            ("https://a.example'; script-src *", nil), ("https://a example/", nil), ("javascript://a.example", nil),
        ])
    func origins(address: String, origin: String?) {
        #expect(WebAddress.origin(of: address) == origin)
    }
}
