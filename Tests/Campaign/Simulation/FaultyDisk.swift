import CFaultyDisk
import Hashing

/// The disk below one folder, for every store that is opened there: it fails when it is told to, and may lose what was not synced.
final class FaultyDisk {
    /// What may be done to a file.
    enum Operation: Equatable {
        case write, sync, truncate, delete
    }

    /// With what an operation fails.
    enum Failure: Int32 {
        /// SQLITE_FULL
        case full = 13
        /// SQLITE_IOERR_WRITE
        case write = 778
        /// SQLITE_IOERR_FSYNC
        case sync = 1034
    }

    /// Asked before each operation; nil: it succeeds.
    var failure: (Operation) -> Failure? = { _ in nil }
    private var random: SplitMix64
    private var disk: OpaquePointer?

    init(folder: String, seed: UInt64) {
        random = SplitMix64(seed: seed)
        let context = Unmanaged.passUnretained(self).toOpaque()
        disk = faulty_disk_create(
            folder,
            { context, operation in
                let disk = Unmanaged<FaultyDisk>.fromOpaque(context!).takeUnretainedValue()
                return disk.failure(Operation(operation))?.rawValue ?? 0
            },
            { context, bound in
                let disk = Unmanaged<FaultyDisk>.fromOpaque(context!).takeUnretainedValue()
                return UInt32(disk.random.index(below: Int(bound)))
            }, context)
    }

    deinit { faulty_disk_free(disk) }

    /// Whether the process has ended that has files open: it changes nothing any more.
    var isDead = false {
        didSet { faulty_disk_set_dead(disk, isDead ? 1 : 0) }
    }

    /// Whether syncs succeed, and what they cover may be lost all the same.
    var isLying = false {
        didSet { faulty_disk_set_lying(disk, isLying ? 1 : 0) }
    }

    /// Bytes that were written and not synced, as far as the process knows.
    var unsyncedBytes: Int64 { faulty_disk_unsynced(disk) }

    /// Every file becomes what the disk holds of it; none is open.
    ///
    /// - Returns: whether anything is lost that was synced, as far as the process knew.
    func losePower() -> Bool {
        let result = faulty_disk_lose_power(disk)
        precondition(result >= 0, "a file of the simulated disk cannot be written")
        return result > 0
    }
}

extension FaultyDisk.Operation {
    fileprivate init(_ operation: faulty_disk_operation) {
        switch operation {
        case FAULTY_DISK_SYNC: self = .sync
        case FAULTY_DISK_TRUNCATE: self = .truncate
        case FAULTY_DISK_DELETE: self = .delete
        default: self = .write
        }
    }
}
