import Foundation
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Reports
import Store
import Wire

/// The forms in which the history is answered.
enum HistoryFormat: String, CaseIterable {
    case json, geojson, csv

    static let csvContentType = "text/csv"
}

/// Entries of the history as rows of a table.
enum HistoryCSV {
    /// Some 200 bytes each; they take about a second. Beyond: the answer's `Link` leads to the next ones.
    static let rowsMax = 10_000
    /// Pages of the history that are looked through for the entries of one fence, each `StoreLimits.historyLooks` entries.
    /// They take about a second. Beyond: as above.
    static let pagesMax = 4

    private static let headings = [
        "time", "vehicle", "type", "what", "id", "sequence", "bridge", "fence", "by", "text", "lat", "lon",
    ]

    static func document(_ entries: [HistoryEntry]) -> [UInt8] {
        Array(([headings] + entries.map(row)).map(CommaSeparatedValues.line).joined().utf8)
    }

    private static func row(_ entry: HistoryEntry) -> [String] {
        let message = try? JSONDecoder().decode(Message.self, from: Data(entry.payload))
        let place = PublishedPlace(entry)?.position
        return [
            RFC3339.text(entry.time), entry.vehicle.text, entry.type.rawValue, message?.what ?? "", entry.id,
            "\(entry.sequence)", message?.clearance?.name ?? "",
            message?.fence?.id ?? message?.fences?.joined(separator: ";") ?? "", message?.by ?? "",
            message?.text ?? message?.note ?? "", place.map { "\($0.latitude)" } ?? "",
            place.map { "\($0.longitude)" } ?? "",
        ]
    }

    /// What of a published message stands in a column of its own.
    private struct Message: Decodable {
        struct Clearance: Decodable { var name: String }
        struct Fence: Decodable { var id: String }

        /// Of an alert.
        var stage: String?
        /// Of a fence.
        var event: String?
        /// Of a visit.
        var phase: String?
        /// Of what a dispatcher did.
        var status: String?
        var clearance: Clearance?
        var fence: Fence?
        var fences: [String]?
        var by: String?
        var text: String?
        var note: String?

        var what: String? { stage ?? event ?? phase ?? status }
    }
}

extension HistoryReader {
    func csv(_ kind: HistoryEntry.Kind, _ query: RequestQuery, to request: Request) async throws -> Response {
        let filter = try HistoryFilter(kind, query)
        let limit = try query.integer("limit", in: 1...HistoryCSV.rowsMax) ?? HistoryCSV.rowsMax
        var page = HistoryPage()
        page.next = try Listing.cursor(query.text("cursor"), as: HistoryCursor.self)
        for _ in 0..<HistoryCSV.pagesMax {
            let part = try await self.page(filter, limit: limit - page.entries.count, after: page.next)
            page.entries += part.entries
            page.next = part.next
            if page.next == nil || page.entries.count == limit { break }
        }
        var response = Response.tagged(
            HistoryCSV.document(page.entries), HistoryFormat.csvContentType, for: request)
        if let next = page.next { response.headers[.link] = "<\(request.address(after: next))>; rel=\"next\"" }
        return response
    }
}

extension Request {
    /// The same with another cursor.
    fileprivate func address(after cursor: HistoryCursor) -> String {
        let others = (uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
        return "\(uri.path)?\((others + ["cursor=\(cursor)"]).joined(separator: "&"))"
    }
}

extension HTTPField.Name {
    /// RFC 8288.
    fileprivate static let link = Self("Link")!
}
