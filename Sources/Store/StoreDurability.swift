/// What a commit survives.
package enum StoreDurability: String, Hashable, CaseIterable, Sendable {
    /// The end of the process at any moment. A power loss may undo the last commits, in their order; the file stays whole.
    case process
    /// A power loss, or the end of the operating system, as well: a commit waits until the disk has it.
    case power
}
