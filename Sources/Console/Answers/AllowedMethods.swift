import HTTPTypes
import Hummingbird
import Synchronization

/// Answers `OPTIONS` of every path that there is, and a method that a path does not have with 405; both say in `Allow` which it
/// has (RFC 9110 §9.3.7, §15.5.6).
final class AllowedMethods: RouterMiddleware {
    typealias Context = ConsoleContext

    private struct Path {
        /// Nil: any.
        var parts: [String?]
        /// Whether any parts may follow.
        var isOpen: Bool
        var methods: Set<HTTPRequest.Method> = [.options]

        init(_ path: RouterPath) {
            let parts = path.description.split(separator: "/").map(String.init)
            isOpen = parts.last == "**"
            self.parts = (isOpen ? parts.dropLast() : parts[...]).map { $0.first == "{" || $0.first == ":" ? nil : $0 }
        }

        func matches(_ path: [Substring]) -> Bool {
            (isOpen ? path.count > parts.count : path.count == parts.count)
                && zip(parts, path).allSatisfy { part, other in part.map { $0 == other } ?? true }
        }
    }

    private let paths = Mutex<[Path]>([])

    /// To be called once all routes are there.
    func note(_ routes: [Router<ConsoleContext>.RouteDescription]) {
        let byPath = Dictionary(grouping: routes, by: \.path.description)
        paths.withLock { paths in
            paths = byPath.values.map { routes in
                var path = Path(routes[0].path)
                path.methods.formUnion(routes.map(\.method))
                if path.methods.contains(.get) { path.methods.insert(.head) }
                return path
            }
        }
    }

    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        let parts = request.uri.path.split(separator: "/")
        let methods = paths.withLock { paths in
            paths.filter { $0.matches(parts) }.reduce(into: Set<HTTPRequest.Method>()) { $0.formUnion($1.methods) }
        }
        guard !methods.isEmpty, request.method == .options || !methods.contains(request.method) else {
            return try await next(request, context)
        }
        let allow = methods.map(\.rawValue).sorted().joined(separator: ", ")
        if request.method == .options { return Response(status: .noContent, headers: [.allow: allow]) }
        throw HTTPError(
            .methodNotAllowed, headers: [.allow: allow],
            message: "Expected one of \(allow) here, got \(request.method.rawValue.prefix(16)).")
    }
}
