import Messages

/// Vehicles whose positions may not be used: only in memory, and only what is needed once they may.
struct VehiclesWithoutConsent {
    private struct Entry {
        var address: VehicleAddress
        var consent: Consent?
        /// Where that came from; nil: not known since the start.
        var consentAddress: VehicleAddress?
        var profile: HeightProfile?
        /// When that profile first arrived.
        var profileSince: Timestamp?
        var route: Route?
        var presence: Presence?
        var firstFix: Timestamp?
        /// Why it counts as denied, where what it said cannot be read.
        var refused: RefusedReport?
        /// When something was last asked for each cause.
        var requests = RequestTimes()
    }

    /// For who never said anything.
    let standard: Consent.Status
    /// For whose profile does not say.
    let style: TextStyle
    private var entries: [VehicleID: Entry] = [:]
    /// What vehicles that are not kept have said, by digest; the status of it outlives a restart.
    private var consentRecords: [String: Consent] = [:]

    init(standard: Consent.Status, style: TextStyle) {
        self.standard = standard
        self.style = style
    }

    var count: Int { entries.count }

    func isKnown(_ id: VehicleID) -> Bool { entries[id] != nil }

    /// Whether anything is known of what a vehicle that is not kept has said.
    func hasHeard(of id: VehicleID) -> Bool { isKnown(id) || said(by: id) != nil }

    func address(of id: VehicleID) -> VehicleAddress? { entries[id]?.address }

    func refusalAddress(of id: VehicleID) -> VehicleAddress? { entries[id]?.consentAddress }

    mutating func restore(_ refusal: ConsentRecord) {
        consentRecords[refusal.digest] = refusal.status.map { Consent($0) }
    }

    /// Whether a vehicle that is not kept may be, as far as it has said.
    func permits(_ id: VehicleID) -> Bool {
        if let entry = entries[id] { return (entry.consent ?? Consent(standard)).permits }
        return (said(by: id) ?? Consent(standard)).permits
    }

    private func said(by id: VehicleID) -> Consent? { consentRecords.isEmpty ? nil : consentRecords[Self.digest(id)] }

    mutating func forget(_ id: VehicleID) { entries[id] = nil }

    /// Notes what a vehicle that is about to be forgotten has said: it holds on.
    mutating func remember(_ consent: Consent?, of id: VehicleID, _ effects: inout Effects) {
        keep(consent, of: id, &effects)
    }

    /// A vehicle that is heard for the first time, or for the first time since it was forgotten.
    func newcomer(_ address: VehicleAddress) -> Vehicle {
        var vehicle = Vehicle(address: address)
        vehicle.consent = said(by: address.vehicle)
        return vehicle
    }

    // MARK: Coming and going

    /// Takes over a vehicle that may be kept no longer: what it is told once it may be again, and nothing of where it was.
    ///
    /// - Parameter address: where it has said so.
    mutating func take(
        _ vehicle: Vehicle, _ consent: Consent?, from address: VehicleAddress, _ effects: inout Effects
    ) {
        entries[vehicle.id] = Entry(
            address: vehicle.address, consent: consent, consentAddress: consent.map { _ in address },
            profile: vehicle.profile, profileSince: vehicle.profileSince, route: vehicle.guidance.route,
            presence: vehicle.presence, requests: vehicle.requests)
        keep(consent, of: vehicle.id, &effects)
    }

    mutating func note(_ consent: Consent?, of address: VehicleAddress, _ effects: inout Effects) {
        var entry = entries[address.vehicle] ?? Entry(address: address)
        (entry.consent, entry.consentAddress, entry.refused) = (consent, consent.map { _ in address }, nil)
        entries[address.vehicle] = entry
        keep(consent, of: address.vehicle, &effects)
    }

    /// Hands over a vehicle that may be kept from now on.
    mutating func release(_ address: VehicleAddress, _ effects: inout Effects) -> Vehicle {
        let entry = entries.removeValue(forKey: address.vehicle)
        keep(nil, of: address.vehicle, &effects)
        var vehicle = Vehicle(address: address.keeping(device: entry?.address.device))
        (vehicle.profile, vehicle.profileSince) = (entry?.profile, entry?.profileSince)
        vehicle.presence = entry?.presence
        vehicle.requests = entry?.requests ?? RequestTimes()
        if let route = entry?.route { vehicle.guidance.set(route) }
        return vehicle
    }

    private mutating func keep(_ consent: Consent?, of id: VehicleID, _ effects: inout Effects) {
        let digest = Self.digest(id)
        let known = consentRecords[digest]?.status
        consentRecords[digest] = consent
        guard known != consent?.status else { return }
        effects.consentRecords.append(ConsentRecord(digest: digest, status: consent?.status))
    }

    private static func digest(_ id: VehicleID) -> String { DerivedID.of("consent", id.text) }

    // MARK: Reports

    /// Counts what may not be used, and asks who has not decided.
    mutating func handle(
        _ report: Report, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects
    ) {
        let id = address.vehicle
        // A topic that was emptied says nothing of a vehicle of which nothing is known.
        guard entries[id] != nil || !report.isWithdrawal else { return }
        var entry = entries[id] ?? Entry(address: address, consent: said(by: id))
        let device = entry.address.device
        entry.address = address
        switch report {
        case .location(let fixes):
            effects.rejections += fixes.map { _ in (nil, .noConsent) }
            entry.firstFix = entry.firstFix ?? receivedAt
            ask(&entry, at: receivedAt, &effects)
        case .profile(let profile):
            guard entry.profile != profile else { break }
            (entry.profile, entry.profileSince) = (profile, profile == nil ? nil : receivedAt)
        case .route(let route): entry.route = route
        case .presence(let presence): entry.presence = presence
        case .acknowledgement, .consent, .refused: break
        }
        // Only a fix tells that the device is another one.
        if case .location = report {} else { entry.address = address.keeping(device: device) }
        entries[id] = entry
    }

    /// Answers a consent that cannot be read, at once; again with later fixes, once an hour, until a valid one comes.
    mutating func answer(
        _ refused: RefusedReport, of id: VehicleID, at time: Timestamp, _ effects: inout Effects
    ) {
        guard var entry = entries[id] else { return }
        entry.refused = refused
        ask(&entry, at: time, &effects)
        entries[id] = entry
    }

    /// At most once an hour for one cause; who has said nothing that cannot be read, not before an answer that is on its way
    /// has had time to arrive.
    private func ask(_ entry: inout Entry, at time: Timestamp, _ effects: inout Effects) {
        let (cause, text): (String, String)
        let style = TextStyle(entry.profile, otherwise: style)
        if let refused = entry.refused {
            guard entry.requests.admit(refused, at: time) else { return }
            cause = refused.problem
            text = style.text(.consentRefused, ["problem": refused.problem])
        } else {
            guard (entry.consent?.status ?? standard) == .notDetermined, let first = entry.firstFix,
                time.since(first) >= RuleTime.requestAfterFirstFix, entry.requests.admit(.consentRequired, at: time)
            else { return }
            cause = RequestMessage.Kind.consentRequired.rawValue
            text = style.text(.consentRequired)
        }
        let message = RequestMessage(
            .consentRequired, of: entry.address.vehicle, cause: cause, at: time, text: text)
        effects.transient.append(Envelope(address: entry.address, message: .request(message)))
    }
}

extension Report {
    /// Whether it only takes back what was said before.
    fileprivate var isWithdrawal: Bool {
        switch self {
        case .consent(let consent): consent == nil
        case .profile(let profile): profile == nil
        case .route(let route): route == nil
        case .presence(let presence): presence == nil
        case .location, .acknowledgement, .refused: false
        }
    }
}

extension Consent.Status {
    /// Whether anything of a vehicle may be kept, at times at least.
    var mayBeKept: Bool { self == .always || self == .whenInUse }
}

extension Consent {
    /// Whether positions may be used now.
    var permits: Bool { status == .always || status == .whenInUse && isInUse }
}

extension Vehicle {
    /// Whether its positions may be used now.
    @inline(__always)
    func isInUse(_ standard: Consent.Status) -> Bool { (consent ?? Consent(standard)).permits }

    /// Whether anything of it may be kept.
    func mayBeKept(_ standard: Consent.Status) -> Bool { (consent?.status ?? standard).mayBeKept }
}
