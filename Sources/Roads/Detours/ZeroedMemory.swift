import Glibc

/// Values of which all bytes are zero at first. The system gives the memory page by page on first use, so that a search which looks at
/// few edges of a country takes no longer for the others.
final class ZeroedMemory<Element: BitwiseCopyable> {
    private let elements: UnsafeMutablePointer<Element>
    let count: Int
    /// In bytes.
    private let size: Int

    /// - Parameter count: of values; of `Element` all bytes zero must be one.
    init(count: Int) {
        self.count = count
        size = max(1, count) * MemoryLayout<Element>.stride
        // From the system itself: `calloc` writes zeros all over where it has memory that was used before.
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("no memory for \(size) bytes") }
        elements = memory.bindMemory(to: Element.self, capacity: max(1, count))
    }

    deinit { munmap(elements, size) }

    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return elements[index]
        }
        set {
            precondition(index >= 0 && index < count)
            elements[index] = newValue
        }
    }
}
