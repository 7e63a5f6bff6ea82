package import Gateway
package import Messages

extension Settings {
    /// A webhook as it is configured.
    package struct Hook: Hashable, Sendable {
        package var url: String
        /// Empty: all.
        package var stages: Set<AlertMessage.Stage>
        /// Nil where it is in a file that is not read yet: `LoadedSettings.validated` reads it.
        package var secret: WebhookSecret?
        /// Absolute.
        package var secretFile: String?

        var webhook: Webhook? { secret.map { Webhook(url: url, stages: stages, secret: $0) } }
    }

    mutating func readHooks(_ read: inout SettingsReader) {
        let example = "[{url: \"https://dispatch.example/alerts\", stages: [stop, passed], secret_file: hook.secret}]"
        read(
            "hooks", SettingKind<Hook>.secretList(of: .hook, example: example), into: &hooks, default: "[]",
            "Webhooks: where alerts are posted to as JSON, such as "
                + "- {url: \"https://dispatch.example/alerts\", stages: [stop, passed], secret_file: hook.secret}. Without "
                + "stages: all alerts. They are signed with the secret, or the one in the file, as standardwebhooks.com says, and "
                + "tried for a day."
        )
    }

    func requireHooksApart(_ read: inout SettingsReader) {
        let urls = hooks.map(\.url)
        read.require(
            Set(urls).count == urls.count, of: "hooks", wrong: "two hooks have one url",
            right: "write one, with the stages of both")
    }
}
