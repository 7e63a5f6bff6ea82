import HTTPTypes
import Hummingbird

/// `GET /api/v1/asyncapi.json`: every topic and every message on it, for programs that read and write them.
struct DescriptionRoom {
    private let document: StaticDocument

    /// - Throws: where the document is not where the build put it.
    init() throws(ConsoleSettingsError) {
        document = try StaticDocument(named: "asyncapi.json")
    }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("api/v1/asyncapi.json") { [document] request, _ in
            // It may be kept, and is asked for again each time.
            let headers: HTTPFields = [.eTag: document.entityTag, .cacheControl: "no-cache"]
            let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            let isKnown = known.contains { Self.isMatch($0, document.entityTag) }
            guard !isKnown else { return Response(status: .notModified, headers: headers) }
            return Response(
                status: .ok, headers: headers + [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.bytes)))
        }
    }

    /// Weak comparison, as RFC 9110 §13.1.2 has it for If-None-Match: a proxy that compresses makes a tag weak.
    private static func isMatch(_ text: Substring, _ tag: String) -> Bool {
        let text = text.drop { $0 == " " }.prefix { $0 != " " }
        return text == "*" || text == tag || text == "W/\(tag)"
    }
}
