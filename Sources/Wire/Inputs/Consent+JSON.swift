import Messages

extension Consent {
    private static let statusWords = "always, when-in-use, not-determined, denied or restricted"

    /// Who does not say that the app is in use does not use it.
    init(json object: JSONValue) throws(InputError) {
        guard object.isObject else { throw object.notAnObject("an object such as {\"status\": \"always\"}") }
        try object.refuseRepeatedNames()
        guard let member = object["status"] else { throw object.missing("status", expected: Self.statusWords) }
        guard let word = member.string, let status = Status(spelled: word) else {
            throw member.refused(
                member.string == nil ? .wrongType : .outOfRange, at: "status", expected: Self.statusWords)
        }
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
    fileprivate func isInUse() throws(InputError) -> Bool {
        guard let member = self["in_use"] else { return false }
        guard let isInUse = member.bool else {
            throw member.refused(.wrongType, at: "in_use", expected: "true or false")
        }
        return isInUse
    }
}
