package import Messages
package import MQTT

extension Registration {
    /// What became of an entry, on the topic beside it.
    package func encoded(on topics: GatewayTopics) -> Publication {
        let payload = JSONWriter.object { writer in
            switch outcome {
            case .monitoring(let note, let was):
                writer.member("status", "monitoring")
                if let note { writer.member("note", note) }
                if let was { writer.height("was", was) }
                if !unknown.isEmpty {
                    writer.name("unknown")
                    writer.array(unknown) { $0.string($1) }
                }
            case .failed(let reason):
                writer.member("status", "failed")
                writer.member("reason", reason)
            }
        }
        return Publication(
            topic: topics.result(of: self), json: payload, userProperties: [.init("type", "result")])
    }
}
