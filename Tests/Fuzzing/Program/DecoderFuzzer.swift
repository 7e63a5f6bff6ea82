import Foundation
import FuzzedDecoders

/// The decoder that `HEADROOM_FUZZED` names. With `HEADROOM_SEEDS` its seeds are written into that folder, and nothing else is done.
///
/// libFuzzer calls from one thread alone.
nonisolated(unsafe) private let driver: DecoderDriver = {
    let environment = ProcessInfo.processInfo.environment
    let name = environment["HEADROOM_FUZZED"] ?? ""
    guard let decoder = FuzzedDecoder(rawValue: name) else {
        let names = FuzzedDecoder.allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(Data("expected HEADROOM_FUZZED to be one of \(names), got \"\(name)\"\n".utf8))
        _exit(2)
    }
    if let folder = environment["HEADROOM_SEEDS"] {
        for (number, seed) in decoder.seeds.enumerated() {
            do {
                try Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(number)"))
            } catch {
                FileHandle.standardError.write(Data("\(folder): \(error)\n".utf8))
                _exit(1)
            }
        }
        // `exit` is taken for a crash.
        _exit(0)
    }
    do {
        return try DecoderDriver(decoder)
    } catch {
        preconditionFailure("\(error)")
    }
}()

/// libFuzzer calls this with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    driver.decode(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
