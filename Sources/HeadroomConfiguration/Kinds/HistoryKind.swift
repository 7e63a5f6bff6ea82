import Fleet

extension SettingKind where Value == EngineSettings.Alerts.History {
    /// What is left out keeps its default.
    static var history: Self {
        let expected = "{passes: 30, rate: 0.02}"
        return Self(expected: expected, form: .group) { node throws(SettingsError) in
            var group = try GroupReader(node, expected)
            var history = Value()
            if let passes = group.optional("passes", .integer(1...500)) { history.passes = passes }
            if let rate = group.optional("rate", .number(0...1)) { history.rate = rate }
            try group.finish()
            return history
        }
    }
}
