public import Hashing

extension StateMessage {
    /// How a device stands to the regions it was sent to watch itself.
    public struct Regions: Hashable, Sendable, Codable {
        /// A region that the device could not watch.
        public struct Failure: Hashable, Sendable, Codable {
            @BytewiseText public var id: String
            /// In the device's words.
            public var reason: String

            public init(id: String, reason: String) {
                self.id = id
                self.reason = reason
            }
        }

        /// The version of the set that was sent last.
        public var version: Int
        /// The newest version that the device has confirmed while it was the last; nil: none.
        public var acknowledged: Int?
        /// Those of the last set that it could not watch, as far as it has said; by id.
        public var failed: [Failure]

        public init(version: Int, acknowledged: Int? = nil, failed: [Failure] = []) {
            self.version = version
            self.acknowledged = acknowledged
            self.failed = failed
        }
    }
}
