import CZlib

/// The gzip coding of HTTP (RFC 9110 §8.4.1.3), by zlib.
enum Gzip {
    /// Below this an answer fits into one packet in any case.
    static let bytesMin = 1_400
    /// zlib.h: the largest window, and 16 more for a gzip header.
    private static let windowBits: Int32 = 15 + 16

    /// Nil where they are too few, or zlib has no memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= bytesMin else { return nil }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
                == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
        var bytes = bytes
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            bytes.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(capacity))
                // With as much room as `deflateBound` says, one call does it all.
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? capacity - Int(stream.avail_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }
}
