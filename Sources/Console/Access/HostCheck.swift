import HTTPTypes
import Hummingbird

/// Refuses requests that were meant for another host.
///
/// A page of any site can have its own name resolve to this machine's address (DNS rebinding) and then read, in a
/// visitor's browser, what the console tells on loopback. The browser still sends that site's name as `Host`.
struct HostCheck<Context: RequestContext>: RouterMiddleware {
    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The first `Host` becomes the authority; one that stands beside it is a second one (RFC 9112 §3.2).
        guard let authority = request.head.authority, request.headers[Self.host] == nil else {
            throw HTTPError(.badRequest, message: "Expected one Host header.")
        }
        guard hosts.allow(authority) else {
            throw HTTPError(.misdirectedRequest, message: "This host does not answer to that name.")
        }
        return try await next(request, context)
    }

    private static var host: HTTPField.Name { HTTPField.Name("Host")! }
}

/// The names under which the console answers.
struct AllowedHosts: Sendable {
    private let names: Set<String>
    private let anyAddress: Bool

    /// Loopback, the host listened on and the further names; where the console listens on every interface, any
    /// address too: rebinding needs a name.
    init(_ settings: ConsoleSettings) {
        names = Set((["localhost", "127.0.0.1", "::1", settings.listen.host] + settings.names).map { $0.lowercased() })
        anyAddress = settings.listensEverywhere
    }

    /// Whether `authority`, a host with or without a port, is one of them. Any port is: tunnels change it.
    func allow(_ authority: String) -> Bool {
        guard let host = Self.host(in: authority) else { return false }
        return names.contains(host) || (anyAddress && (isIPv4(host) || isIPv6(host)))
    }

    /// The host in lower case, without brackets, port and a root's dot; nil where `authority` is none.
    private static func host(in authority: String) -> String? {
        let text = authority.lowercased()
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            let address = String(text[text.index(after: text.startIndex)..<end])
            return isIPv6(address) ? address : nil
        }
        let end = text.firstIndex(of: ":") ?? text.endIndex
        guard isPort(text[end...]) else { return nil }
        let name = text[..<end]
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    /// Empty, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && text.dropFirst().allSatisfy { ("0"..."9").contains($0) })
    }
}
