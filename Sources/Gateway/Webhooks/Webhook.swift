import Foundation
package import Messages

/// Where alerts are posted to, over HTTP.
package struct Webhook: Hashable, Sendable {
    /// HTTP or HTTPS. It may itself be a secret, and is not shown.
    package var url: String
    /// Empty: all.
    package var stages: Set<AlertMessage.Stage>
    package var secret: WebhookSecret

    package init(url: String, stages: Set<AlertMessage.Stage> = [], secret: WebhookSecret) {
        self.url = url
        self.stages = stages
        self.secret = secret
    }

    func wants(_ stage: AlertMessage.Stage) -> Bool { stages.isEmpty || stages.contains(stage) }
}

/// What a webhook's messages are signed with: `whsec_` and 24 to 64 bytes in Base64 (standardwebhooks.com), or any other text.
package struct WebhookSecret: Hashable, Sendable {
    /// As many as any receiver stores.
    private static let bytesMax = 256

    /// 1 to 256 bytes: those of the Base64, or those of the text as UTF-8.
    package let key: [UInt8]

    /// Nil where `text` is none: it is empty or too long, or what follows `whsec_` is not what it ought to be.
    package init?(_ text: String) {
        if text.hasPrefix("whsec_") {
            guard let key = Data(base64Encoded: String(text.dropFirst(6))), (24...64).contains(key.count) else {
                return nil
            }
            self.key = Array(key)
        } else {
            guard (1...Self.bytesMax).contains(text.utf8.count) else { return nil }
            key = Array(text.utf8)
        }
    }
}

extension WebhookSecret: CustomReflectable, CustomStringConvertible {
    package var description: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What is kept for one webhook, why, and what happens beyond it.
enum WebhookLimits {
    /// Messages of about 1.5 kB: 150 MB of disk; a fleet of 10,000 trucks has about as many alerts in a day. Beyond: new ones
    /// are dropped, and counted.
    static let storedMax = 100_000
    /// Messages in memory that were not refused; the others are in the store.
    static let waitingMax = 64
    /// Refused messages in memory. Beyond: the webhook is given no others, as it is more likely to refuse all of them.
    static let refusedMax = 1_000
    /// How long a message is tried, in seconds. Beyond: it is dropped, and counted.
    static let triedFor: Double = 86_400
}
