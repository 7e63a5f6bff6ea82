/// What one store takes, why, and what happens beyond it.
package struct StoreLimits: Sendable {
    /// Unsent messages. A million of about 1 kB are 1 GB of disk and some ten seconds of sending, and no outage of a
    /// fleet's broker is longer: its own trucks cannot report then either. Beyond: `commit` throws `outboxFull`.
    package var outboxEntries = 1_000_000
    /// One payload. A route check with two lines of 50,000 points has 2.5 MB. Beyond: `unsendable`.
    package var payloadBytes = 4 << 20
    /// MQTT 5 §1.5.4: a string's length is a 16-bit number. Holds for topic, content type, and each half of a user
    /// property. Beyond: `unsendable`.
    package var stringBytes = 65_535
    /// The gateway sets two. Beyond: `unsendable`.
    package var userProperties = 32
    /// One vehicle's state; 400 bytes at rest, a long planned route at most. Beyond: `stateTooLarge`.
    package var stateBytes = 4 << 20
    /// Entries of the history that one batch removes because of their age: some 80 ms. Beyond: the next batch's.
    package var historyPurge = 10_000
    /// Entries that a reader looks through for one page of those it wants: some 50 ms. Beyond: the next page's.
    package var historyLooks = 10_000
    /// Positions that one batch removes because of their age, some 16 ms; or twice as many as it brings, if that is more:
    /// so the purge keeps up with any fleet. Beyond: the next batch's.
    package var positionPurge = 1_000
    /// Up to this size the file is rewritten beside the running gateway, which holds it up for a third of a second. Beyond:
    /// traces of what was removed are overwritten in it, a part at a time.
    package var rewriteBytes = 64 << 20
    /// How long one such part takes; some 10 MB.
    package var sweepSlice: Duration = .milliseconds(20)
    /// How long a write waits for another process's lock, as a backup's or the sqlite3 shell's. Beyond: `busy`.
    package var busyTimeoutSeconds = 5.0

    package static let standard = StoreLimits()

    package init() {}
}
