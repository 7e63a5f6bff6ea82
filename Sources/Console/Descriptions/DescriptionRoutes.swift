import Hummingbird

/// `GET /api/v1/openapi.json` and `/api/v1/asyncapi.json`: what is said over HTTP and over MQTT, for programs that read and
/// write it.
struct DescriptionRoutes {
    private let openAPI: StaticDocument
    private let asyncAPI: StaticDocument

    /// - Throws: where a document is not where the build put it.
    init() throws(ConsoleSettingsError) {
        asyncAPI = try StaticDocument(named: "asyncapi.json")
        openAPI = SharedSchemas(of: asyncAPI).completing(try StaticDocument(named: "openapi.json"))
    }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        for (name, document) in [("openapi.json", openAPI), ("asyncapi.json", asyncAPI)] {
            routes.get(RouterPath(name)) { request, _ in
                Response.tagged(document.bytes, Listing.json, for: request, tag: document.tag, caching: .shared)
            }
        }
    }
}
