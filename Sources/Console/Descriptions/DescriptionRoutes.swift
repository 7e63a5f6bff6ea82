import Hummingbird

/// `GET /api/v1/openapi.json` and `/api/v1/asyncapi.json`: what is said over HTTP and over MQTT, for programs that read and
/// write it.
struct DescriptionRoutes {
    private let documents: [(name: String, document: StaticDocument)]

    /// The same for every console of a process.
    private static let shared = Result { () throws(ConsoleSettingsError) in
        let asyncAPI = try StaticDocument(named: "asyncapi.json")
        let openAPI = SharedSchemas(of: asyncAPI).completing(try StaticDocument(named: "openapi.json"))
        return [("openapi.json", openAPI), ("asyncapi.json", asyncAPI)]
    }

    /// - Throws: where a document is not where the build put it.
    init() throws(ConsoleSettingsError) { documents = try Self.shared.get() }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        for (name, document) in documents {
            routes.get(RouterPath(name)) { request, _ in
                Response.tagged(document.bytes, Listing.json, for: request, tag: document.tag, caching: .shared)
            }
        }
    }
}
