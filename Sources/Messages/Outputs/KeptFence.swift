public import Hashing

/// Which serial stands for which fence; kept, so that after a restart no vehicle is told again of a fence it knows.
public struct KeptFence: Hashable, Sendable {
    /// The empty one stands for all fences that are gone.
    @BytewiseText public var id: String
    /// `Fence.digest`.
    public var digest: Int64
    /// Nil: it is in force no longer.
    public var serial: Int?

    public init(id: String, digest: Int64, serial: Int?) {
        self.id = id
        self.digest = digest
        self.serial = serial
    }
}
