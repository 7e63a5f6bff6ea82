import Console
import Foundation
import Gateway
import Messages

extension SettingKind where Value == Settings.Hook {
    /// As a list; what is written may hold secrets.
    static func secretList(of kind: Self, example: String) -> SettingKind<[Settings.Hook]> {
        var list = SettingKind<[Settings.Hook]>.list(of: kind, example: example)
        list.role = .secret
        return list
    }

    static var hook: Self {
        let expected = "a webhook, such as {url: \"https://dispatch.example/alerts\", secret_file: hook.secret}"
        return Self(expected: expected, form: .groups) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            let url = group.required("url", .hookAddress)
            let stages = group.optional("stages", .set(of: SettingKind<AlertMessage.Stage>.oneOf, example: "[stop]"))
            let secret = group.optional("secret", .webhookSecret)
            let file = group.optional("secret_file", SettingKind<String>.file)
            if group.has("secret") == group.has("secret_file") {
                let got = group.has("secret") ? "both" : "neither"
                group.problems.append(node.problem(expected: "either secret or secret_file", got: got))
            }
            try group.finish()
            guard let url else { throw node.refused(expected) }
            return Settings.Hook(url: url, stages: stages ?? [], secret: secret, secretFile: file)
        }
    }
}

extension SettingKind where Value == String {
    /// What is written is not repeated: many services put a password into the path.
    fileprivate static var hookAddress: Self {
        let expected = "an address such as https://dispatch.example/alerts, without user, password and fragment"
        return Self(expected: expected) { node throws(SettingsError) in
            guard case .text(let text) = node.shape, WebAddress.origin(of: text) != nil,
                let url = URL(string: text), url.user == nil, url.password == nil, url.fragment == nil
            else { throw SettingsError([node.problem(expected: expected, got: "something else")]) }
            return text
        }
    }
}

extension SettingKind where Value == WebhookSecret {
    static var expectedSecret: String {
        "whsec_ and 24 to 64 bytes in Base64, as of echo whsec_$(openssl rand -base64 32), or another text up to 256 bytes"
    }

    fileprivate static var webhookSecret: Self {
        Self(expected: expectedSecret) { node throws(SettingsError) in
            guard case .text(let text) = node.shape, let secret = WebhookSecret(text) else {
                throw SettingsError([node.problem(expected: expectedSecret, got: "something else")])
            }
            return secret
        }
    }
}
