import HTTPTypes
import Hashing
import Hummingbird

/// Tells versions of an answer apart (RFC 9110 §8.8.3), so that who has it is not sent it again, and who changes it does not
/// overwrite what somebody else has changed meanwhile.
struct EntityTag: Hashable, Sendable {
    private static let gzip = "+gzip"
    /// The version of what can be entered and is not there.
    static let absent = "none"

    private let version: String?
    private let hash: String

    /// FNV-1a: the same bytes have the same tag whenever and wherever they were made; it resists nobody.
    ///
    /// - Parameter version: of what can be changed, as distinct from what else the answer says of it.
    init(of bytes: [UInt8], version: String? = nil) {
        self.version = version
        hash = Self.hash(bytes)
    }

    static func hash(_ bytes: [UInt8]) -> String { String(FNV1a(bytes).value, radix: 16) }

    /// - Parameter isCompressed: it stands for other bytes then.
    func text(isCompressed: Bool) -> String {
        "\"" + (version.map { "\($0)-" } ?? "") + hash + (isCompressed ? Self.gzip : "") + "\""
    }

    /// A tag as it is compared weakly (§8.8.3.2).
    fileprivate static func strong(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

    /// Whether the client said that it has this version. Compares weakly, as §13.1.2 wants it for If-None-Match: a proxy that
    /// compresses makes a tag weak.
    func isKnown(to request: Request) -> Bool {
        request.tags(.ifNoneMatch).contains { tag in
            let tag = Self.strong(tag)
            return tag == "*" || [true, false].contains { tag == text(isCompressed: $0) }
        }
    }
}

/// What the client of a change has said of which version it is to be one (RFC 9110 §13.1.1), or of which it must not be one
/// (§13.1.2): mostly that there must be none yet.
struct Precondition: Sendable {
    let wanted: [String]
    let unwanted: [String]

    /// - Parameter version: of what there is, by itself or in a tag; nil: there is none.
    func isMet(by version: String?) -> Bool {
        func isCurrent(_ tag: String) -> Bool {
            if tag == "*" { return version != nil }
            let current = version ?? EntityTag.absent
            return tag == "\"\(current)\"" || tag.hasPrefix("\"\(current)-")
        }
        return (wanted.isEmpty || wanted.contains(where: isCurrent))
            && !unwanted.contains { isCurrent(EntityTag.strong($0)) }
    }

    /// - Parameter isNew: there was to be none yet.
    static func failure(isThere: Bool, isNew: Bool = false) -> HTTPError {
        let message =
            switch (isThere, isNew) {
            case (true, true):
                "It exists already; nothing was changed. Choose another id, or change the one that is there."
            case (true, false): "Somebody else has changed it meanwhile; nothing was changed. Load it again."
            case (false, _): "It is not there any more; nothing was changed."
            }
        return HTTPError(.preconditionFailed, message: message)
    }
}

extension Request {
    fileprivate func tags(_ name: HTTPField.Name) -> [String] {
        let tags = headers[values: name].flatMap { $0.split(separator: ",") }
        return tags.map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    }

    var precondition: Precondition { Precondition(wanted: tags(.ifMatch), unwanted: tags(.ifNoneMatch)) }

    /// - Parameter version: of what there is; nil: there is none.
    /// - Throws: 412 where the change is to be one of another.
    func requireMatch(_ version: String?) throws(HTTPError) {
        let precondition = precondition
        guard precondition.isMet(by: version) else {
            throw Precondition.failure(isThere: version != nil, isNew: precondition.unwanted == ["*"])
        }
    }

    /// Whether the client takes gzip (RFC 9110 §12.5.3).
    var acceptsGzip: Bool {
        let codings = headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.map { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) } }
            return (name: parts.first, isAccepted: !isRefused)
        }
        // An asterisk stands for those that are not named.
        let coding = codings.first { $0.name == "gzip" } ?? codings.first { $0.name == "*" }
        return coding?.isAccepted ?? false
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
    /// An answer to a GET: its bytes, compressed where the client takes that, or 304 where it has them.
    ///
    /// - Parameter gzip: what `bytes` are compressed; nil: that is done now.
    static func tagged(
        _ bytes: [UInt8], _ contentType: String, for request: Request, tag: EntityTag? = nil, gzip: [UInt8]? = nil,
        caching: Caching = .none
    ) -> Response {
        let tag = tag ?? EntityTag(of: bytes)
        let packed = request.acceptsGzip ? gzip ?? Gzip.compressed(bytes) : nil
        var headers: HTTPFields = [
            .eTag: tag.text(isCompressed: packed != nil), .cacheControl: caching.rawValue,
            .vary: "Accept, Accept-Encoding",
        ]
        guard !tag.isKnown(to: request) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: packed ?? bytes)))
    }
}
