package import Messages

extension ForgetRequest {
    /// `{"request": "…"}`; without the member the answer has none either.
    ///
    /// - Parameter vehicle: the level of the topic that names it.
    /// - Throws: why it is not to be acted on.
    package init(vehicle: String, payload: [UInt8]) throws(InputError) {
        guard let vehicle = VehicleID(vehicle) else { throw .invalidVehicleID }
        let id = try JSONParser().read(payload) { root throws(InputError) in
            guard root.isObject else { throw .wrongType }
            return try root.text("request", atMost: WireLimits.idCharacters)
        }
        self.init(vehicle: vehicle, id: id)
    }

    /// The payload that asks for it.
    package var payload: [UInt8] {
        JSONWriter.object { if let id { $0.member("request", id) } }
    }
}
