import Fleet

extension Consent {
    /// Contract §2.4. Who does not say that the app is in use does not use it.
    init(json object: JSONValue) throws(Rejection) {
        guard object.isObject else { throw .wrongType }
        guard let word = try object.text("status", atMost: WireLimits.nameCharacters) else { throw .missingField }
        guard let status = Status(spelled: word) else { throw .outOfRange }
        self.init(status, isInUse: try object.isInUse())
    }
}

extension Consent.Status {
    /// `when-in-use`, and the same letters in other spellings: `whenInUse`, `WHEN_IN_USE`, `When in use`.
    init?(spelled word: String) {
        let letters = Self.letters(word)
        guard let status = Self.allCases.first(where: { Self.letters($0.rawValue) == letters }) else { return nil }
        self = status
    }

    private static func letters(_ word: String) -> String {
        word.lowercased().filter { !"-_ ".contains($0) }
    }
}

extension JSONValue {
    fileprivate func isInUse() throws(Rejection) -> Bool {
        guard let member = self["in_use"] else { return false }
        guard let isInUse = member.bool else { throw .wrongType }
        return isInUse
    }
}
