import func Foundation.calloc
import func Foundation.free

/// Values of which all bytes are zero at first. The system gives the memory page by page on first use, so that a search which looks at
/// few edges of a country takes no longer for the others.
final class ZeroedMemory<Element: BitwiseCopyable> {
    private let elements: UnsafeMutablePointer<Element>
    let count: Int

    /// - Parameter count: of values; of `Element` all bytes zero must be one.
    init(count: Int) {
        guard let memory = calloc(max(1, count), MemoryLayout<Element>.stride) else {
            fatalError("no memory for \(count) values of \(MemoryLayout<Element>.stride) bytes")
        }
        elements = memory.bindMemory(to: Element.self, capacity: max(1, count))
        self.count = count
    }

    deinit { free(elements) }

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
