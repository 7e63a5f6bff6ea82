import Foundation
import Testing

/// A socket that answers the first words of a client with given bytes, and then keeps still or resets the connection: for
/// what Mosquitto 2.0.11 never does.
final class ScriptedPeer: Sendable {
    let port: Int
    private let listener: Int32

    init(answering bytes: [UInt8], thenResetting resets: Bool = false) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try Mosquitto.bindToFreePort(listener)
        try #require(listen(listener, 4) == 0)
        let listener = listener
        Thread {
            // The first connection of each pair is the dialer's, which says nothing.
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                var request = [UInt8](repeating: 0, count: 1_024)
                if read(connection, &request, request.count) > 0 {
                    _ = write(connection, bytes, bytes.count)
                    if resets {
                        var abortive = linger(l_onoff: 1, l_linger: 0)
                        setsockopt(connection, SOL_SOCKET, SO_LINGER, &abortive, socklen_t(MemoryLayout<linger>.size))
                    } else {
                        while read(connection, &request, request.count) > 0 {}
                    }
                }
                close(connection)
            }
        }.start()
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}
