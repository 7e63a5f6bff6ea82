import Fleet
import HTTPTypes
import Hummingbird
import NIOCore
import RoadImport
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
            throw HTTPError(.contentTooLarge, message: "A body may have \(context.maxUploadSize) bytes.")
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
        do throws(FenceProblem) {
            _ = try Fence(geoJSON: bytes, id: id)
        } catch {
            throw BodyProblem(place: error.place, message: "\(error)")
        }
    }
}

/// A clearance as dispatch writes it.
struct ClearanceBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, id: String) async throws {
        bytes = try await request.bytes(context)
        do throws(ClearanceFeatureProblem) {
            _ = try PointClearance(geoJSON: bytes, id: id)
        } catch {
            throw BodyProblem(place: "", message: "\(error)")
        }
    }
}

/// A height profile as a truck or dispatch writes it.
struct ProfileBody {
    let bytes: [UInt8]

    init(_ request: Request, _ context: ConsoleContext, topic: String, _ pattern: TopicPattern) async throws {
        bytes = try await request.bytes(context)
        let decoded = WireDecoder(pattern: pattern).decode(
            topic: topic, payload: bytes, retained: true, receivedAt: Timestamp(milliseconds: 0))
        if let rejection = decoded.lazy.flatMap(\.rejections).first {
            throw BodyProblem(place: "", message: rejection.ofProfile)
        }
    }
}

extension Rejection {
    /// What is wrong with a profile, and what would be right.
    fileprivate var ofProfile: String {
        switch self {
        case .malformedJSON: "this is not JSON; an object with a height would be right"
        case .invalidUTF8: "this is not UTF-8; JSON is written in it"
        case .wrongType: "a member is of another type; the profile is an object, height a number of metres or a text"
        case .implausibleHeight: "no road vehicle has this height; metres over 0 and up to 6 would be right"
        case .unreadableHeight: "the height is no length; metres would be, or a text such as \"13'6\\\"\" or \"4.11 m\""
        case .unreadableLength: "the margin is no length; metres would be, or a text such as \"3 in\""
        case .unreadableDuration: "valid_for is no duration; seconds would be, or a text such as \"24 h\""
        case .unreadableTime: "measured_at is no time; RFC 3339 would be, such as \"2026-11-21T06:00:00Z\""
        case .outOfRange: "a member is out of range: a margin of at most 1 m, texts of at most 64 characters"
        case .tooLarge: "there are too many groups, or the profile is too large"
        default: rawValue
        }
    }
}
