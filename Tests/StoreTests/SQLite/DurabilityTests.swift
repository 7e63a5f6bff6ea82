import Fleet
import Foundation
import GRDB
import Messages
import Testing

@testable import Store

@Suite struct DurabilityTests {
    let place: TemporaryStore

    init() throws { place = try TemporaryStore() }

    private static func batch(_ number: Int) throws -> StoreBatch {
        StoreBatch(
            time: noon, changed: [try vehicle("T\(number)"), try vehicle("all", state: [UInt8(number)])],
            outbox: [alert("\(number)")])
    }

    @Test(
        "Every commit is synced to the disk, not only every checkpoint, unless it need not survive a power loss",
        arguments: [(StoreDurability.power, 2), (.process, 1)])
    func synchronous(durability: StoreDurability, level: Int) throws {
        let store = try place.open(durability: durability)
        #expect(try store.owned { try $0.number("PRAGMA synchronous") } == level)
    }

    @Test("What is committed can be read by another process while the gateway goes on")
    func otherReader() throws {
        let store = try place.open()
        _ = try store.commit(Self.batch(1))
        #expect(try place.outsideCount("vehicle") == 2)
        _ = try store.commit(Self.batch(2))
        #expect(try place.outsideCount("vehicle") == 3)
    }

    @Test("A reader that stays in its transaction holds up no commit, and sees none")
    func longReader() throws {
        let store = try place.open()
        _ = try store.commit(Self.batch(1))
        try place.outside { database in
            try database.inTransaction(.deferred) {
                let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM outbox")
                _ = try store.commit(Self.batch(2))
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM outbox") == before)
                return .commit
            }
        }
        #expect(try place.outsideCount("outbox") == 2)
    }

    @Test("The files as they lie after a commit hold all of it", arguments: [1, 7])
    func copiedFiles(batches: Int) throws {
        let store = try place.open()
        for number in 1...batches { _ = try store.commit(Self.batch(number)) }
        let copy = try place.copyOfFiles().open()
        #expect(try copy.vehicles() == store.vehicles())
        #expect(try copy.unsent() == (1...batches).map { "\($0)" })
    }

    @Test("A log that was cut off in mid-write loses that commit whole, and no earlier one")
    func tornLog() throws {
        let store = try place.open()
        _ = try store.commit(Self.batch(1))
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: place.path + "-wal")[.size] as? UInt64)
        _ = try store.commit(Self.batch(2))
        let copy = try place.copyOfFiles()
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: copy.path + "-wal"))
        #expect(try log.seekToEnd() > size)
        try log.truncate(atOffset: size + 100)
        try log.close()

        let survivor = try copy.open()
        #expect(try survivor.unsent() == ["1"])
        #expect(try survivor.vehicles().map(\.address.vehicle.text) == ["T1", "all"])
        #expect(try survivor.vehicles().last?.state == [1])
    }

    @Test("A gateway killed right after a commit leaves all of it, and a store that is free")
    func killed() async throws {
        let path = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            for number in 1...3 { _ = try store.commit(Self.batch(number)) }
            kill(getpid(), SIGKILL)
        }
        let store = try place.open()
        #expect(try store.unsent() == ["1", "2", "3"])
        #expect(try store.vehicles().last?.state == [3])
    }

    @Test("A gateway killed in mid-transaction leaves what was before")
    func killedInTransaction() async throws {
        let path = place.path
        try place.open().close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            _ = try store.commit(Self.batch(1))
            let outside = try DatabaseQueue(path: path)
            try outside.inDatabase { database in
                try database.execute(sql: "BEGIN IMMEDIATE; DELETE FROM outbox; DELETE FROM vehicle")
                kill(getpid(), SIGKILL)
            }
        }
        #expect(try place.open().unsent() == ["1"])
    }

    @Test("A second thread that calls the store is stopped")
    func secondThread() async throws {
        let path = place.path
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let store = try Store(path: path)
            _ = try store.commit(Self.batch(1))
            let thread = Thread { _ = try? store.commit(Self.batch(2)) }
            thread.start()
            sleep(5)
        }
        #expect(try place.open().unsent() == ["1"])
    }

    @Test("A store opened on one thread may be used on another, and its count read from any")
    func handedOver() throws {
        let store = try place.open()
        let done = DispatchSemaphore(value: 0)
        Thread {
            _ = try? store.commit(Self.batch(1))
            done.signal()
        }.start()
        done.wait()
        #expect(store.outboxCount == 1)
        try store.close()
    }

    @Test("The store says that it is writable, and why it is not while another program holds its write lock")
    func writable() throws {
        var limits = StoreLimits()
        limits.busyTimeoutSeconds = 0.05
        let store = try place.open(limits: limits)
        #expect(store.isWritable())
        try place.outside { database in
            try database.inTransaction(.immediate) {
                #expect(!store.isWritable())
                #expect(throws: StoreError.busy(path: store.path)) { try store.checkWritable() }
                #expect(throws: StoreError.busy(path: store.path)) { try store.commit(Self.batch(1)) }
                return .rollback
            }
        }
        #expect(store.isWritable())
        #expect(try store.unsent() == [])
    }

    @Test("A closed store is not writable")
    func closed() throws {
        let store = try place.open()
        try store.close()
        #expect(!store.isWritable())
        #expect(throws: StoreError.self) { try store.commit(Self.batch(1)) }
    }
}
