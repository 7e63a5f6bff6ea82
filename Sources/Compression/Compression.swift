import CZstd
import Synchronization

/// Compresses byte strings that resemble each other, to frames of Zstandard (RFC 8878), which any thread may do at any time.
///
/// Each is too short to be compressed by what repeats in it alone; a sample, the dictionary, has what repeats in all of them.
package final class Compression: Sendable {
    /// zstd.h: what a frame begins with.
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// The fastest of zstd's usual levels: with a sample the others save little and take a multiple of the time.
    private static let level: Int32 = 1
    /// No frame of ours has as many bytes in it; a damaged one that says so is not to take all memory.
    private static let bytesMax = 64 << 20

    private let dictionary: CompressionDictionary
    /// Of nobody now: one for each thread that has been here at once.
    private let idle = Mutex<[CompressionContext]>([])

    /// - Parameter sample: what a frame was compressed with is needed to read it, byte for byte.
    package init(sample: [UInt8]) { dictionary = CompressionDictionary(sample, level: Self.level) }

    /// Whether `bytes` are what `compressed` gives, and not what it takes: nothing of that begins so.
    package static func isFrame(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    package func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = ZSTD_compressBound(bytes.count)
        return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { output in
            let count = withContext { context in
                bytes.withUnsafeBytes { input in
                    ZSTD_compress_usingCDict(
                        context.compressing, output.baseAddress, output.count, input.baseAddress, input.count,
                        dictionary.compressing)
                }
            }
            // zstd.h: with as much room as `ZSTD_compressBound` says, all that can be missing is memory.
            precondition(ZSTD_isError(count) == 0, String(cString: ZSTD_getErrorName(count)))
            // It may be kept for long, and takes no more memory than it needs.
            return [UInt8](output[..<count])
        }
    }

    /// - Parameter frame: what `compressed` gave, with the same sample.
    /// - Returns: nil where it is damaged, or was compressed with another sample.
    package func decompressed(_ frame: [UInt8]) -> [UInt8]? {
        let size = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        // zstd.h: where the frame does not tell its size, or is none, the size is larger.
        guard size <= Self.bytesMax else { return nil }
        var isWhole = false
        let bytes = withContext { context in
            [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
                count = frame.withUnsafeBytes { input in
                    ZSTD_decompress_usingDDict(
                        context.decompressing, output.baseAddress, output.count, input.baseAddress, input.count,
                        dictionary.decompressing)
                }
                isWhole = ZSTD_isError(count) == 0
                if !isWhole { count = 0 }
            }
        }
        return isWhole ? bytes : nil
    }

    private func withContext<Result>(_ body: (CompressionContext) -> Result) -> Result {
        let context = idle.withLock { $0.popLast() } ?? CompressionContext()
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}

/// zstd.h: a dictionary that has been made ready is read by any number of threads at once.
private final class CompressionDictionary: @unchecked Sendable {
    let compressing, decompressing: OpaquePointer

    init(_ sample: [UInt8], level: Int32) {
        guard let compressing = ZSTD_createCDict(sample, sample.count, level),
            let decompressing = ZSTD_createDDict(sample, sample.count)
        else { preconditionFailure("expected memory for a dictionary of \(sample.count) bytes, got none") }
        (self.compressing, self.decompressing) = (compressing, decompressing)
    }

    deinit {
        ZSTD_freeCDict(compressing)
        ZSTD_freeDDict(decompressing)
    }
}

/// The memory that zstd works in. It is taken out of `Compression.idle` by who uses it, so that one thread at a time does.
private final class CompressionContext: @unchecked Sendable {
    let compressing, decompressing: OpaquePointer

    init() {
        guard let compressing = ZSTD_createCCtx(), let decompressing = ZSTD_createDCtx() else {
            preconditionFailure("expected memory to compress in, got none")
        }
        (self.compressing, self.decompressing) = (compressing, decompressing)
    }

    deinit {
        ZSTD_freeCCtx(compressing)
        ZSTD_freeDCtx(decompressing)
    }
}
