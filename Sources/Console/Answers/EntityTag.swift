import HTTPTypes
import Hummingbird

/// Tells versions of an answer apart (RFC 9110 §8.8.3), so that who has it is not sent it again.
struct EntityTag: Hashable, Sendable {
    let text: String

    /// FNV-1a: the same bytes have the same tag whenever and wherever they were made; it resists nobody.
    init(of bytes: [UInt8]) {
        let digest = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        text = "W/\"" + String(digest, radix: 16) + "\""
    }

    /// Whether the client said that it has this version. Compares weakly, as §13.1.2 wants it for If-None-Match.
    func isKnown(to request: Request) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { tag in
            let tag = tag.drop { $0 == " " }.prefix { $0 != " " }
            return tag == "*" || tag == text || "W/\(tag)" == text
        }
    }
}

extension Response {
    /// An answer to a GET: its bytes, or 304 where the client has them.
    ///
    /// - Parameter caching: whether a browser may keep it and ask each time whether it still holds; positions of vehicles
    ///   are kept by nobody.
    static func tagged(
        _ bytes: [UInt8], _ contentType: String, for request: Request, tag: EntityTag? = nil, caching: Bool = false
    ) -> Response {
        let tag = tag ?? EntityTag(of: bytes)
        var headers: HTTPFields = [.eTag: tag.text]
        if caching { headers[.cacheControl] = "private, no-cache" }
        guard !tag.isKnown(to: request) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
