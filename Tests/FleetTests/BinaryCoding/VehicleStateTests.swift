import BinaryCoding
import FleetTestSupport
import Foundation
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// What the store has of a vehicle, and what is kept of one at rest.
struct VehicleStateTests {
    /// Every twentieth is enough: all that they hold is tested with what is compressed.
    private static let vehicles = stride(from: 0, to: VehicleBinaryTests.vehicles.count, by: 20).map {
        VehicleBinaryTests.vehicles[$0]
    }

    @Test("A state holds all that a vehicle's bytes do, in six tenths as many")
    func whole() throws {
        var (encodedBytes, stateBytes) = (0, 0)
        for vehicle in Self.vehicles {
            let (encoded, state) = (vehicle.encoded(), vehicle.state())
            #expect(try Vehicle(state: state).encoded() == encoded)
            #expect(try VehicleAddress(state: state) == vehicle.address)
            encodedBytes += encoded.count
            stateBytes += state.count
        }
        #expect(Double(stateBytes) < 0.6 * Double(encodedBytes))
    }

    @Test("A parked vehicle's state has at most 200 bytes")
    func parked() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let address = VehicleAddress(vehicle: VehicleID("T7")!)
        for seconds in [0.0, 600] {
            let fix = Fix(position: Drawing.place(2_500, 0), time: .at(seconds), accuracy: 5)
            _ = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
        }
        _ = engine.handle([.tick(.at(3_600))])
        #expect(try #require(engine.vehicle(address.vehicle)).state().count <= 200)
    }

    @Test("A state that was stored before states were compressed is read")
    func uncompressed() throws {
        for vehicle in Self.vehicles {
            #expect(try Vehicle(state: vehicle.encoded()).encoded() == vehicle.encoded())
        }
    }

    @Test("A state that was stored by another version is read: what it is compressed with stays as it is")
    func former() throws {
        let state = Array(try #require(Data(base64Encoded: Self.stored)))
        #expect(try Vehicle(state: state).address == VehicleAddress(vehicle: VehicleID("T7")!))
    }

    private static let stored = """
        KLUv/WAvAVUFAPQEBQJUNwBFQGcX+p0R/lTAgKuK57+AjMHmv8AAAAEAAAEQNGMwMWI3ZjQ0NWUyNjE4MwIAARBmZjhlNmNiZDFmMDQ0MTYwBsCn\
        oICriue/aCMAwIOvBpAhAbCZ6CMMIENYyBHgYwN9pcDPGnCVATJEhCgQcMwAqk4zzIUcA7rPwQgbqBoAMuTAFyAA3sC0UBNGGRQ/DsBxgBsuADAA\
        3wWIJkNADS+3BPAG
        """

    @Test(
        "A damaged state is an error or another vehicle, and ends no gateway", arguments: 1...4 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var errors = 0
        for _ in 0..<500 {
            var state = Self.vehicles[generator.index(below: Self.vehicles.count)].state()
            for _ in 0...generator.index(below: 3) {
                state[generator.index(below: state.count)] = UInt8(generator.index(below: 256))
            }
            if generator.index(below: 4) == 0 { state.removeLast(generator.index(below: state.count)) }
            if (try? Vehicle(state: state)) == nil { errors += 1 }
        }
        #expect(errors > 100)
    }
}
