import Clearances
import Fleet
import HTTPTypes
import Hummingbird
import Messages
import NIOCore
import Roads
import Wire

// What is to be published is read first by what the gateway itself will read it with: who has made a mistake hears of it
// before anybody else does.

extension Request {
    /// The whole body.
    ///
    /// - Throws: 413 beyond the console's limit, 422 where there is none: an empty payload would take back what is there.
    fileprivate func bytes(_ context: ConsoleContext) async throws -> [UInt8] {
        let buffer = try await collectedBody(context)
        guard buffer.readableBytes > 0 else {
            throw HTTPError.unprocessable("The body is empty; use DELETE to remove what is there.")
        }
        return Array(buffer.readableBytesView)
    }

    /// The same, once `read` has read it.
    fileprivate func bytes(
        _ context: ConsoleContext, read: ([UInt8]) throws(GeoJSONError) -> Void
    ) async throws -> [UInt8] {
        let bytes = try await bytes(context)
        do throws(GeoJSONError) { try read(bytes) } catch { throw BodyError(place: error.place, message: "\(error)") }
        return bytes
    }
}

/// A fence as dispatch writes it.
struct FenceBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, id: String) async throws {
        bytes = try await request.bytes(context) { bytes throws(GeoJSONError) in _ = try Fence(geoJSON: bytes, id: id) }
    }
}

/// A clearance as dispatch writes it.
struct ClearanceBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, id: String) async throws {
        bytes = try await request.bytes(context) { bytes throws(GeoJSONError) in
            _ = try PointClearance(geoJSON: bytes, id: id)
        }
    }
}

/// What a vehicle or dispatch says of the vehicle.
struct VehicleInputBody {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - topic: where it is to be published.
    ///   - isRetained: whether the broker is to keep it.
    init(
        _ request: Request, _ context: ConsoleContext, on topic: String, isRetained: Bool = true,
        _ pattern: TopicPattern
    ) async throws {
        bytes = try await request.bytes(context)
        let decoded = WireDecoder(pattern: pattern).decode(
            topic: topic, payload: bytes, retained: isRetained, receivedAt: Timestamp(milliseconds: 0))
        // Fixes that can be read are not lost because of others that cannot.
        if decoded.contains(where: { $0.reports.contains(where: \.hasFixes) }) { return }
        for part in decoded.lazy.flatMap(\.rejected) {
            throw BodyError(place: "", message: part.problem?.description ?? part.reason.rawValue)
        }
    }
}

extension Report {
    fileprivate var hasFixes: Bool { if case .location(let fixes) = self { !fixes.isEmpty } else { false } }
}
