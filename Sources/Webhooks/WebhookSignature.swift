import Cryptography
import Foundation
package import Gateway

/// The headers by which a receiver knows that a message is the gateway's and whether it is a repeat (standardwebhooks.com).
package struct WebhookSignature: Hashable, Sendable {
    /// By name, in lower case.
    package let headers: [String: String]

    /// - Parameters:
    ///   - message: its id, the same for every attempt.
    ///   - seconds: of this attempt, since 1970; a receiver refuses what is minutes old.
    package init(message: String, seconds: Int, payload: [UInt8], secret: WebhookSecret) {
        let signed = Array("\(message).\(seconds).".utf8) + payload
        let code = SHA256.authenticationCode(of: signed, key: secret.key)
        headers = [
            "webhook-id": message, "webhook-timestamp": "\(seconds)",
            "webhook-signature": "v1,\(Data(code).base64EncodedString())",
        ]
    }
}
