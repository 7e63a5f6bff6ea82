import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Console

@Suite("The description of the topics")
struct DescriptionTests {
    private static let path = "/api/v1/asyncapi.json"

    @Test("is AsyncAPI 3 in JSON, with a tag by which it can be kept")
    func document() async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            try await client.execute(uri: Self.path, method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "application/json")
                #expect(response.headers[.cacheControl] == "no-cache")
                #expect(response.headers[.eTag]?.first == "\"" && response.headers[.eTag]?.last == "\"")
                let document =
                    try JSONSerialization.jsonObject(with: Data(String(buffer: response.body).utf8)) as? [String: Any]
                #expect(document?["asyncapi"] as? String == "3.0.0")
                #expect(document?["channels"] is [String: Any])
            }
        }
    }

    @Test("is not sent again to who has it, by whatever list of tags that is said")
    func notModified() async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            let tag = try await client.execute(uri: Self.path, method: .get) { $0.headers[.eTag] }
            let known = try #require(tag)
            for (tags, status) in [
                (known, HTTPResponse.Status.notModified), ("W/\(known)", .notModified), ("*", .notModified),
                ("\"other\", \(known) , \"third\"", .notModified), ("\"other\"", .ok), (String(known.dropLast()), .ok),
            ] {
                let headers: HTTPFields = [.ifNoneMatch: tags]
                try await client.execute(uri: Self.path, method: .get, headers: headers) { response in
                    #expect(response.status == status, "\(tags)")
                    #expect(response.headers[.eTag] == known)
                    #expect((response.body.readableBytes == 0) == (status == .notModified))
                }
            }
        }
    }

    @Test("wants a viewer's token where tokens are asked for", arguments: [(nil, 401), ("Bearer view-me", 200)])
    func token(authorization: String?, status: Int) async throws {
        try await ConsoleFixture(authentication: .required).console.application.test(.router) { client in
            let headers: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
            try await client.execute(uri: Self.path, method: .get, headers: headers) { response in
                #expect(response.status.code == status)
            }
        }
    }
}
