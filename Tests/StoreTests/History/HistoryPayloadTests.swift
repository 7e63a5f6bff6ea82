import Fleet
import Foundation
import GRDB
import Messages
import Testing

@testable import Store

/// Payloads are compressed in the store, which nobody sees who reads it by the program.
struct HistoryPayloadTests {
    private static let alert = """
        {"id":"1f0c3a5be9d47788","sequence":1,"type":"low-clearance","stage":"ahead","attention":"notice","probability":0.12,\
        "vehicle":"T42","time":"2027-03-02T08:15:01.000Z","published_at":"2027-03-02T08:15:01.120Z",\
        "expires_at":"2027-03-02T08:25:01.000Z","clearance":{"id":"osm:way:4711","name":"Mill Lane","height":3.9,"posted":"3.9",\
        "source":"osm","verdict":"too-low","lat":51.5,"lon":-2.9},"vehicle_height":4.1,"margin":0.077,"height_source":"driver",\
        "distance":1402.2,"eta":98.7,"side_road":false,"urgency":"Expected","severity":"Severe","certainty":"Possible",\
        "text":"Low bridge 3.9 m on Mill Lane in 0.9 mi, if your way leads there."}
        """

    @Test("An alert takes less than a third of its bytes")
    func alert() {
        let payload = Array(Self.alert.utf8)
        let stored = HistoryPayload.stored(payload)
        #expect(HistoryPayload.payload(stored) == payload)
        #expect(stored.count * 3 < payload.count)
    }

    @Test("Any bytes come back as they were", arguments: [[], [0], Array("{}".utf8), HistoryPayload.stored([7])])
    func any(payload: [UInt8]) {
        #expect(HistoryPayload.payload(HistoryPayload.stored(payload)) == payload)
    }

    @Test("What another version has stored is read: what it is compressed with stays as it is")
    func former() throws {
        let stored = Array(try #require(Data(base64Encoded: Self.stored)))
        #expect(HistoryPayload.payload(stored) == Array(Self.alert.utf8))
    }

    private static let stored = """
        KLUv/WB6AQ0FANIEERiQp225rl/xg0TYtPV50tpY2VKu9EfupwQJwGbpvm6HMA7IW8cy7ibDCRTHYdh5v20GbdQEN1KM5O9WzTy0aYCnEKzgIQCj\
        hAUYEwILfQDci1JiBidgBs6KQ0BWtMICSOBFYLxpxR/VBEEA88DB7IoT8YpJ60UCkJzBiBgoNi9UOAG0WyoOgABc2NQcwAO2ZmL1FQeGPR8Ygrl7\
        MwEE
        """

    @Test("What was stored before payloads were compressed is read; one that is damaged is named")
    func outside() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let entries = ["plain", "compressed"].map { entry($0, of: "A", .alert, at: 0, payload: Self.alert) }
        _ = try store.commit(StoreBatch(time: noon, history: entries))
        try place.outside {
            try $0.execute(
                sql: "UPDATE history SET payload = ? WHERE id = 'plain'", arguments: [Data(Self.alert.utf8)])
        }
        #expect(try store.history(limit: 10).entries == entries)
        try place.outside {
            try $0.execute(sql: "UPDATE history SET payload = substr(payload, 1, 20) WHERE id = 'compressed'")
        }
        let error = try #require(throws: StoreError.self) { try store.history(limit: 10) }
        #expect("\(error)".contains("history entry “compressed” has a payload that cannot be read"))
    }
}
