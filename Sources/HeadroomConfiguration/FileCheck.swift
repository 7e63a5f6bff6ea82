import Broker
import Foundation
import Gateway

extension LoadedSettings {
    /// The settings to serve with: every file they name is there, and each password is read from its file.
    ///
    /// - Throws: every file that is missing or cannot be read.
    package func validated() throws(SettingsError) -> Settings {
        let problems = origins.flatMap { setting in
            setting.files.compactMap { FileCheck(file: $0, name: setting.name, directory: directory).problem }
        }
        guard problems.isEmpty else { throw SettingsError(problems) }
        var settings = try withPasswords()
        for index in settings.hooks.indices { try readSecret(of: &settings.hooks[index], at: index) }
        return settings
    }

    /// The settings of who reads or changes the gateway's store beside it: no file is looked for but that with the password.
    package func withStorePassword() throws(SettingsError) -> Settings {
        var settings = settings
        let password = try password(in: settings.storePasswordFile, "store.password_file")
        settings.storePassword = password ?? settings.storePassword
        return settings
    }

    /// As `withStorePassword`, for who is a client of the broker, too.
    package func withPasswords() throws(SettingsError) -> Settings {
        var settings = try withStorePassword()
        let password = try password(in: settings.passwordFile, "broker.password_file")
        settings.broker.password = password ?? settings.broker.password
        return settings
    }

    private func readSecret(of hook: inout Settings.Hook, at index: Int) throws(SettingsError) {
        guard let path = hook.secretFile else { return }
        hook.secret = WebhookSecret(Self.text(in: path))
        guard hook.secret == nil, let origin = origins.first(where: { $0.name == "hooks" })?.origin else { return }
        let wrong = "hooks[\(index)].secret_file names \(path), which holds no secret of a webhook"
        let right = "let this user read it, and write there \(SettingKind<WebhookSecret>.expectedSecret)"
        throw SettingsError([SettingsProblem(origin, wrong: wrong, right: right)])
    }

    /// Without the line end that editors and `echo` add.
    private static func text(in path: String) -> String {
        var text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// - Parameter path: nil: the password is not in a file.
    private func password(in path: String?, _ name: String) throws(SettingsError) -> Secret? {
        guard path != nil, let file = origins.first(where: { $0.name == name })?.files.first else { return nil }
        if let problem = FileCheck(file: file, name: name, directory: directory).problem {
            throw SettingsError([problem])
        }
        let text = Self.text(in: file.path)
        guard !text.isEmpty else {
            let wrong = "\(name) names \(file.path), which holds no password"
            throw SettingsError([SettingsProblem(file.origin, wrong: wrong, right: "write it there, as UTF-8")])
        }
        return Secret(text)
    }
}

/// Looks whether one file that a setting names can be used.
private struct FileCheck {
    let file: Setting.NamedFile
    let name: String
    /// What relative files start from.
    let directory: String

    /// Nil where it can be.
    var problem: SettingsProblem? {
        file.isNew ? problemOfNewFile : problemOfFile
    }

    private var problemOfFile: SettingsProblem? {
        if !exists(file.path) { return refused("which does not exist", another) }
        if isDirectory(file.path) { return refused("which is a directory", another) }
        if !FileManager.default.isReadableFile(atPath: file.path) {
            return refused("which cannot be read", "let this user read it")
        }
        return nil
    }

    private var problemOfNewFile: SettingsProblem? {
        let parent = URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false)
        if isDirectory(file.path) { return refused("which is a directory", another) }
        if !isDirectory(parent) { return refused("whose directory does not exist", "make it, or " + another) }
        if !FileManager.default.isWritableFile(atPath: exists(file.path) ? file.path : parent) {
            return refused("which cannot be written", "let this user write it and its directory")
        }
        return nil
    }

    private var another: String { "name another file (relative names start from \(directory))" }

    private func refused(_ wrong: String, _ right: String) -> SettingsProblem {
        SettingsProblem(file.origin, wrong: "\(name) names \(file.path), \(wrong)", right: right)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
