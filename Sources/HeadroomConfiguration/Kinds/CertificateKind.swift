import Console

extension SettingKind where Value == ConsoleSettings.TLS {
    /// Both files, since neither is of use alone.
    static var certificate: Self {
        let expected = "{cert_file: console.pem, key_file: console.key}"
        return Self(expected: expected, form: .group, role: .file) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            let certificate = group.required("cert_file", .file)
            let key = group.required("key_file", .file)
            try group.finish()
            guard let certificate, let key else { preconditionFailure("what is missing was thrown") }
            return Value(certificate: certificate, key: key)
        }
    }
}
