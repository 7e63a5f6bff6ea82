import Hashing
import Messages

extension Acknowledgement {
    /// Reads an acknowledgement of an alert, a request or a region set. One message acknowledges one of them; where
    /// several are named, the first in that order.
    init(json object: JSONValue) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        if let id = try object.text("alert", atMost: WireLimits.idCharacters) {
            guard let sequence = try object.integer("sequence", atLeast: 1) else {
                throw object.missing("sequence", expected: "a whole number from 1 on")
            }
            self = .alert(id: id, sequence: sequence)
        } else if let id = try object.text("request", atMost: WireLimits.idCharacters) {
            self = .request(id: id)
        } else if let version = try object.integer("regions", atLeast: 0) {
            self = .regions(version: version, failed: try object.failedRegions())
        } else {
            throw object.missing("alert", expected: "alert, request or regions")
        }
    }
}

extension JSONValue {
    /// Ids and reasons; a device that gives no reason has failed all the same.
    fileprivate func failedRegions() throws(InputError) -> [BytewiseText: String] {
        guard let member = self["failed"] else { return [:] }
        guard let elements = member.elements else {
            throw member.refused(.wrongType, at: "failed", expected: "a list")
        }
        var failed: [BytewiseText: String] = [:]
        for element in elements {
            guard failed.count < WireLimits.listedNames else { throw .tooLarge }
            guard element.isObject else { throw .wrongType }
            guard let id = try element.text("id", atMost: WireLimits.idCharacters) else { throw .missingField }
            failed[BytewiseText(id)] = try element.text("reason", atMost: WireLimits.idCharacters) ?? ""
        }
        return failed
    }
}
