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
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: context.maxUploadSize)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge, message: "Expected a body of at most \(context.maxUploadSize) bytes.")
        }
        guard buffer.readableBytes > 0 else {
            throw HTTPError.unprocessable("The body is empty; DELETE takes back what is there.")
        }
        return Array(buffer.readableBytesView)
    }
}

/// A fence as dispatch writes it.
struct FenceBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, id: String) async throws {
        bytes = try await request.bytes(context)
        do throws(GeoJSONError) {
            _ = try Fence(geoJSON: bytes, id: id)
        } catch {
            throw BodyError(place: error.place, message: "\(error)")
        }
    }
}

/// A clearance as dispatch writes it.
struct ClearanceBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, id: String) async throws {
        bytes = try await request.bytes(context)
        do throws(GeoJSONError) {
            _ = try PointClearance(geoJSON: bytes, id: id)
        } catch {
            throw BodyError(place: error.place, message: "\(error)")
        }
    }
}

/// A retained input of a vehicle as the vehicle itself or dispatch writes it: a height profile, a route.
struct VehicleInputBody {
    let bytes: [UInt8]

    /// - Parameter topic: where it is to be published.
    init(_ request: Request, _ context: ConsoleContext, topic: String, _ pattern: TopicPattern) async throws {
        bytes = try await request.bytes(context)
        let decoded = WireDecoder(pattern: pattern).decode(
            topic: topic, payload: bytes, retained: true, receivedAt: Timestamp(milliseconds: 0))
        for part in decoded.lazy.flatMap(\.rejected) {
            throw BodyError(place: "", message: part.problem?.description ?? part.reason.rawValue)
        }
    }
}
