import Foundation
import Gateway

@testable import HeadroomConfiguration

/// A directory of its own for one test's configuration, removed after it.
final class SettingsFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/headroom-settings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    func load(_ yaml: String, environment: [String: String] = [:]) throws -> LoadedSettings {
        try Settings.load(path: write(yaml, to: "headroom.yaml"), environment: environment)
    }

    /// What is wrong with `yaml`, without the folder's path; empty where nothing is.
    func problems(_ yaml: String, environment: [String: String] = [:], validating: Bool = false) throws -> String {
        do {
            let loaded = try load(yaml, environment: environment)
            if validating { _ = try loaded.validated() }
            return ""
        } catch let error as SettingsError {
            return shortened(error.description)
        }
    }

    func shortened(_ text: String) -> String {
        text.replacing("\(path)/", with: "").replacing(path, with: ".")
    }
}
