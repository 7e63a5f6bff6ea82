package import Messages
package import MQTT

/// What goes before what on the way to the broker. Messages of one priority leave in the order of their commits, those of a
/// higher one overtake them.
package enum OutboxPriority: Int, CaseIterable, Sendable {
    /// What a driver must hear at once: alerts, requests.
    case high = 0
    /// What has happened: fence events, visits; and what is taken back.
    case normal = 1
    /// How things are: states, regions, results.
    case low = 2
}

/// A message that is to reach the broker, and when.
package struct OutboxMessage: Hashable, Sendable {
    /// Its `expirySeconds` are not kept: they count from when it leaves, and `expiresAt` says how many are left then.
    package var publication: Publication
    package var priority: OutboxPriority
    /// From then on it is not worth sending; nil: it always is.
    package var expiresAt: Timestamp?

    package init(_ publication: Publication, _ priority: OutboxPriority = .low, expiresAt: Timestamp? = nil) {
        self.publication = publication
        self.priority = priority
        self.expiresAt = expiresAt
    }

    /// The publication as it leaves at a time.
    package func publication(at now: Timestamp) -> Publication {
        guard let expiresAt else { return publication }
        var publication = publication
        publication.expirySeconds = UInt32(max(1, expiresAt.since(now).rounded(.up)))
        return publication
    }

    /// Why this cannot be sent over MQTT or is beyond `limits`; nil where it can.
    func objection(_ limits: StoreLimits) -> String? {
        let (topic, contentType) = (publication.topic, publication.contentType)
        if topic.isEmpty { return "its topic is empty" }
        if topic.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") || $0 == 0 }) {
            return "its topic holds +, # or NUL"
        }
        if contentType?.utf8.contains(0) == true { return "its content type holds NUL" }
        if publication.payload.count > limits.payloadBytes {
            return "expected a payload of at most \(limits.payloadBytes) bytes, got \(publication.payload.count)"
        }
        let properties = publication.userProperties
        if properties.count > limits.userProperties {
            return "expected at most \(limits.userProperties) user properties, got \(properties.count)"
        }
        let isLong = { (text: String) in text.utf8.count > limits.stringBytes }
        if isLong(topic) || isLong(contentType ?? "")
            || properties.contains(where: { isLong($0.name) || isLong($0.value) })
        {
            return "its topic, content type or a user property has more than \(limits.stringBytes) bytes"
        }
        return nil
    }
}

/// A message in the outbox.
package struct OutboxEntry: Hashable, Sendable, Identifiable {
    /// Given by the store, ascending in the order of the commits, never used twice.
    package var id: Int64
    package var message: OutboxMessage
    /// The time of the batch that brought it.
    package var createdAt: Timestamp

    package init(id: Int64, message: OutboxMessage, createdAt: Timestamp) {
        self.id = id
        self.message = message
        self.createdAt = createdAt
    }
}
