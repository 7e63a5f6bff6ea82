import Glibc
import Testing

@testable import Broker

struct BrokerErrorTests {
    @Test(
        "A failed system call says what the system said, and that the connection was closed where it said nothing",
        arguments: [(Int32(0), "the connection was closed"), (ECONNREFUSED, "Connection refused")])
    func systemCall(number: Int32, reason: String) {
        errno = number
        let error = BrokerError(returned: BrokerError.Code.systemCall.rawValue, by: "127.0.0.1:1883")
        #expect(error.message == "127.0.0.1:1883: \(reason)")
        #expect(error.code == .systemCall)
    }
}
