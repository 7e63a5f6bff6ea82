package import Messages

/// Reads routes of files, which may be longer than one of a message. Keeps a parser and its buffers: one thread at a time.
package final class RouteReader {
    private let parser = JSONParser(capacity: WireLimits.featureBytes)

    package init() {}

    /// - Parameter json: as a vehicle publishes its route.
    /// - Throws: what is wrong with it, and where.
    package func route(_ json: [UInt8]) throws(RejectedPart) -> Route {
        do throws(InputError) {
            return try parser.read(json) { root throws(InputError) in try Route(json: root) }
        } catch {
            throw parser.rejected(error, json)
        }
    }
}
