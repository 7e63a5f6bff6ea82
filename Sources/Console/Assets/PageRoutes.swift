import Gateway
import HTTPTypes
import Hummingbird

/// `GET /` and `/assets/…`, `/cab` and `/cab/…`: the pages of dispatch and of the driver, and what they are made of; open to
/// all, for they hold no data.
struct PageRoutes {
    private static let page = Asset.all(in: ProgramFolder.page)
    private let assets: [String: Asset]
    private let policy: String

    init(settings: ConsoleSettings, library: MapLibrary) {
        let all = Self.page + Asset.cabTexts + library.assets
        assets = Dictionary(all.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        policy = Self.policy(origins: settings.map.origins)
    }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("/") { request, _ in try answer("/", request) }
        routes.get("assets/**") { request, _ in try answer(request.uri.path, request) }
        routes.get("cab") { request, _ in try answer("/cab/index.html", request) }
        routes.get("cab/**") { request, _ in
            var response = try answer(request.uri.path, request)
            // A worker serves only what lies below its own folder unless it is allowed more: the page itself is `/cab`.
            response.headers[HTTPField.Name("Service-Worker-Allowed")!] = "/cab"
            return response
        }
    }

    /// Only of what was read at the start: no path leads anywhere else.
    private func answer(_ path: String, _ request: Request) throws -> Response {
        guard let asset = assets[path] else { throw HTTPError(.notFound) }
        var response = Response.tagged(
            asset.bytes, asset.contentType, for: request, tag: asset.tag, gzip: asset.gzip, caching: .shared)
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    /// No script or style but those served here; pictures and data from the map's host too. MapLibre's worker is a blob.
    private static func policy(origins: [String]) -> String {
        let elsewhere = origins.map { " \($0)" }.joined()
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "manifest-src 'self'",
            "img-src 'self' data: blob:\(elsewhere)", "connect-src 'self'\(elsewhere)", "worker-src 'self' blob:",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }
}
