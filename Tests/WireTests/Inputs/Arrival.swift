import Fleet
import Messages

@testable import Wire

/// What tests send, at the time it arrives.
enum Arrival {
    static let time = Timestamp(milliseconds: 1_795_269_900_000)

    static func decode(_ topicSuffix: TopicSuffix, _ payload: [UInt8], retained: Bool = false) -> DecodedMessage {
        WireDecoder().decode(
            topic: "fleet/T42/\(topicSuffix.rawValue)", payload: payload, retained: retained, receivedAt: time)[0]
    }

    static func decode(_ topicSuffix: TopicSuffix, _ payload: String, retained: Bool = false) -> DecodedMessage {
        decode(topicSuffix, Array(payload.utf8), retained: retained)
    }
}

extension DecodedMessage {
    var fixes: [Fix] {
        reports.flatMap { report in
            if case .location(let fixes) = report { fixes } else { [] as [Fix] }
        }
    }

    var profile: HeightProfile? {
        if case .profile(let profile) = reports.first { profile } else { nil }
    }
}
