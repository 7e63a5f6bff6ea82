import Fleet
import Logging
import Messages
import NIOPosix
import Reports
import Store
import Synchronization
import Wire

/// The history of the store, looked up beside the running gateway.
final class HistoryReader: Sendable {
    private let location: StoreLocation
    private let logger: Logger
    /// Opened with the first question: the gateway makes the store, and may do so after the console has begun.
    private let reader = Mutex<StoreReader?>(nil)

    /// - Parameter location: of the store.
    init(_ location: StoreLocation, logger: Logger) {
        self.location = location
        self.logger = logger
    }

    /// - Throws: `StoreError`; an empty page where there is no store yet.
    func page(_ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor? = nil) async throws -> HistoryPage {
        // The store is read from a disk or over the network, and must not hold up a thread that others' answers need.
        try await NIOThreadPool.singleton.runIfActive { [self] in
            guard let reader = try open() else { return HistoryPage() }
            return try reader.history(
                type: filter.kind, vehicle: filter.vehicle, from: filter.from, to: filter.to, order: filter.order,
                limit: limit, after: cursor, where: filter.isWanted)
        }
    }

    /// So many messages are looked through for the newest visit: a truck that stopped, slept and drove on has two of each
    /// stay that was none.
    private static let visitMessagesMax = 20

    /// The last message of the newest visit that was not withdrawn, as published; nil where none is kept.
    func newestVisit(of vehicle: VehicleID) async throws -> [UInt8]? {
        let filter = HistoryFilter(kind: .visit, vehicle: vehicle, order: .newestFirst)
        do {
            let entries = try await page(filter, limit: Self.visitMessagesMax).entries
            let withdrawn = Set(entries.filter { PublishedVisit($0)?.phase == .withdrawn }.map(\.id))
            return entries.first { !withdrawn.contains($0.id) }?.payload
        } catch {
            // What the vehicle does now is more than where it stood before.
            logger.error("The history cannot be read: \(error)")
            return nil
        }
    }

    /// Where a vehicle was from one time to before another: the first `limit` fixes. Empty where there is no store yet.
    func fixes(of vehicle: VehicleID, from: Timestamp?, to: Timestamp?, limit: Int) async throws -> TrackPage {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            try open()?.track(of: vehicle, from: from, to: to, limit: limit) ?? TrackPage()
        }
    }

    /// What happened in a span of time.
    ///
    /// - Throws: `StoreError`, `ReportError`.
    func report(_ span: Range<Timestamp>, at now: Timestamp, limit: Int) async throws -> FleetReport {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            try open()?.report(span, at: now, limit: limit) ?? FleetReport(nothingIn: span)
        }
    }

    /// What the alerts of a span of time say of a clearance.
    ///
    /// - Throws: `StoreError`, `ReportError`.
    func evidence(of clearance: String, in span: Range<Timestamp>, limit: Int) async throws -> ClearanceEvidence {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            try open()?.evidence(of: clearance, in: span, limit: limit) ?? ClearanceEvidence()
        }
    }

    private func open() throws(StoreError) -> StoreReader? {
        do throws(StoreError) {
            return try reader.withLock { reader throws(StoreError) in
                if let reader { return reader }
                let opened = try StoreReader(location)
                reader = opened
                return opened
            }
        } catch .missing {
            return nil
        }
    }
}
