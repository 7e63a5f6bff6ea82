import Fleet

extension Consent {
    /// Contract §2.4. Who does not say that the app is in use does not use it.
    init(json object: JSONValue) throws(Rejection) {
        guard object.isObject else { throw object.notAnObject() }
        guard let status: Status = try object.choice("status") else {
            throw object.missing("status", expected: "a status such as always")
        }
        self.init(status, isInUse: try object.isInUse())
    }
}

extension JSONValue {
    fileprivate func isInUse() throws(Rejection) -> Bool {
        guard let member = self["in_use"] else { return false }
        guard let isInUse = member.bool else {
            throw member.refused(.wrongType, at: "in_use", expected: "true or false")
        }
        return isInUse
    }
}
