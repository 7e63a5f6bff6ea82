import Foundation
import Messages
import Store
import Testing

@testable import Gateway

@Suite("The check of the store beside the work")
struct StoreInspectionTests {
    @Test(
        "Damage in the middle of the store is counted, logged with what to do, and named at /readyz",
        .timeLimit(.minutes(1)), arguments: [false, true])
    func damage(isDamaged: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "inspection-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "headroom.sqlite").path
        let store = try Store(path: path)
        // Their rows make up most of the file.
        let vehicles = (0..<400).map { number in
            StoredVehicle(
                address: VehicleAddress(vehicle: VehicleID("T\(number)")!), state: [UInt8](repeating: 65, count: 600),
                batch: 1)
        }
        _ = try store.commit(StoreBatch(time: Timestamp(milliseconds: 1_795_266_000_000), changed: vehicles))
        try store.close()
        if isDamaged {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: try file.seekToEnd() / 4_096 / 2 * 4_096)
            try file.write(contentsOf: Data(repeating: 0x5A, count: 2_000))
            try file.close()
        }
        let (shared, lines) = (SharedState(version: "1"), LogLines())
        let open = try Store(path: path)
        try StoreInspection([path], shared, logger: lines.logger()).start()
        while shared.metrics.storeChecked.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
        try open.close()
        #expect((shared.metrics.storeDamages.value > 0) == isDamaged)
        #expect(shared.readiness.degradations.contains { $0.contains("restore it from a backup") } == isDamaged)
        #expect(lines.all.contains { $0.hasPrefix("The store is damaged: ") } == isDamaged)
        #expect(lines.all.contains("Stop the gateway and restore the store from a backup") == isDamaged)
    }
}
