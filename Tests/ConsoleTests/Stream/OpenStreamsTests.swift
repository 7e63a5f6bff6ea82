import Testing

@testable import Console

@Suite("Open streams")
struct OpenStreamsTests {
    private let streams = OpenStreams(max: 4, maxOfPeer: 3)
    private let office: [UInt8] = [192, 0, 2, 1]
    private let other: [UInt8] = [192, 0, 2, 2]

    @Test("One address holds so many of them; the others are left to other addresses")
    func ofPeer() throws {
        var held = try (0..<3).map { _ in try streams.permit(of: office) }
        #expect(throws: OpenStreams.LimitError.ofPeer(max: 3)) { _ = try streams.permit(of: office) }
        held.append(try streams.permit(of: other))
        #expect(streams.count == 4)
        withExtendedLifetime(held) {}
    }

    @Test("One that ends is free again, for its address too; one that was refused takes none")
    func ended() throws {
        var held = try (0..<3).map { _ in try streams.permit(of: office) } + [try streams.permit(of: nil)]
        for _ in 0..<3 {
            #expect(throws: OpenStreams.LimitError.all(max: 4)) { _ = try streams.permit(of: other) }
        }
        held.removeAll()
        #expect(streams.count == 0)
        held = try (0..<3).map { _ in try streams.permit(of: office) }
        #expect(streams.count == 3)
        withExtendedLifetime(held) {}
    }

    @Test("A client without an address is limited by the number of all alone")
    func withoutAddress() throws {
        let held = try (0..<4).map { _ in try streams.permit(of: nil) }
        #expect(throws: OpenStreams.LimitError.all(max: 4)) { _ = try streams.permit(of: nil) }
        withExtendedLifetime(held) {}
    }
}
