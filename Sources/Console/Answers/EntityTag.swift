import HTTPTypes
import Hashing
import Hummingbird

/// Tells versions of an answer apart (RFC 9110 §8.8.3), so that who has it is not sent it again.
struct EntityTag: Hashable, Sendable {
    let text: String

    /// FNV-1a: the same bytes have the same tag whenever and wherever they were made; it resists nobody.
    init(of bytes: [UInt8]) {
        text = "\"" + String(FNV1a(bytes).value, radix: 16) + "\""
    }

    /// Whether the client said that it has this version. Compares weakly, as §13.1.2 wants it for If-None-Match: a proxy that
    /// compresses makes a tag weak.
    func isKnown(to request: Request) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { tag in
            let tag = tag.drop { $0 == " " }.prefix { $0 != " " }
            return tag == "*" || tag == text || tag == "W/\(text)"
        }
    }
}

/// Who may keep an answer. Whoever does asks each time whether it still holds.
enum Caching: String {
    /// Nobody: it tells where vehicles are.
    case none = "no-store"
    /// The visitor's browser.
    case own = "private, no-cache"
    /// Anybody: it is the same for all and holds no data.
    case shared = "no-cache"
}

extension Response {
    /// An answer to a GET: its bytes, or 304 where the client has them.
    static func tagged(
        _ bytes: [UInt8], _ contentType: String, for request: Request, tag: EntityTag? = nil, caching: Caching = .none
    ) -> Response {
        let tag = tag ?? EntityTag(of: bytes)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: caching.rawValue]
        guard !tag.isKnown(to: request) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
