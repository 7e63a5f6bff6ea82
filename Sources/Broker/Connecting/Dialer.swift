import Glibc

/// Finds out, without blocking, which of a host's addresses answers.
///
/// `mosquitto_connect_bind_v5` is the only way to pass connect properties, and it blocks in connect(2), for two minutes
/// where nothing answers. So an address is tried here first; the library is called when its connect can only be short.
final class Dialer {
    enum Outcome {
        case pending
        case answered(Address)
        case failed(BrokerError)
    }

    /// The socket to wait for until it is writable; -1 where there is none.
    private(set) var descriptor: CInt = -1
    private(set) var deadline = ContinuousClock.now
    private let target: String
    private var addresses: ArraySlice<Address>
    /// libmosquitto gets the name, not the address, where the name must be in a certificate; then it tries the
    /// addresses in the same order, and one that is silent may not be passed over.
    private let passesOverSilence: Bool
    private var lastError = ENOENT

    init(_ addresses: [Address], host: String, port: Int, passesOverSilence: Bool) {
        self.addresses = addresses[...]
        self.passesOverSilence = passesOverSilence
        target = "Connecting to \(host):\(port)"
    }

    deinit { closeSocket() }

    /// Tries the first address, or goes on to the next one.
    func dial() -> Outcome {
        while let address = addresses.first {
            closeSocket()
            descriptor = socket(address.family, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            if address.connect(descriptor) { return .answered(address) }
            if errno == EINPROGRESS {
                deadline = .now + Limits.address
                return .pending
            }
            lastError = errno
            addresses.removeFirst()
        }
        return .failed(BrokerError(.systemCall, "\(target): \(String(cString: strerror(lastError)))"))
    }

    /// What has become of the address under trial, after a wait that found its socket `ready` or not.
    func advance(ready: Bool) -> Outcome {
        if ready {
            lastError = socketError()
            if lastError == 0, let address = addresses.first { return .answered(address) }
        } else {
            guard ContinuousClock.now >= deadline else { return .pending }
            lastError = ETIMEDOUT
            if !passesOverSilence { addresses.removeAll() }
        }
        addresses = addresses.dropFirst()
        return dial()
    }

    private func socketError() -> CInt {
        var error: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    private func closeSocket() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}

/// One address that a host's name stands for.
struct Address {
    /// As a person would write it, without the port.
    let text: String
    private var storage = sockaddr_storage()
    private let length: socklen_t

    var family: CInt { CInt(storage.ss_family) }

    private init(_ entry: addrinfo) {
        length = entry.ai_addrlen
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: .init(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
        }
        text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { name in
            let size = socklen_t(name.count)
            let code = getnameinfo(entry.ai_addr, entry.ai_addrlen, name.baseAddress, size, nil, 0, NI_NUMERICHOST)
            return code == 0 ? name.baseAddress.map { String(cString: $0) } ?? "" : ""
        }
    }

    /// In the order in which the system prefers them, which is libmosquitto's too. May wait for the name service.
    static func resolve(host: String, port: Int) throws(BrokerError) -> [Address] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw BrokerError(.nameNotResolved, "Looking up \(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { $0?.pointee }.map(
            Address.init)
    }

    /// Whether it answered at once; otherwise `errno` says why not.
    func connect(_ descriptor: CInt) -> Bool {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) == 0 }
        }
    }
}
