import Geo

/// How high a vehicle counts at one moment, and on whose word.
struct EffectiveHeight: Hashable {
    /// Without the margin.
    var height: Centimetres
    var margin: Metres
    var source: String
    var status: StateMessage.HeightStatus

    /// Rounded up to a centimetre.
    var effective: Centimetres {
        // In tenths of a millimetre; the subtrahend takes back what binary fractions add to 0.0762.
        let marginTenths = Int((margin * 10_000 - 1e-6).rounded(.up))
        return (height * 100 + marginTenths + 99) / 100
    }

    init(of vehicle: Vehicle, at time: Timestamp, _ settings: EngineSettings.Heights) {
        margin = vehicle.profile?.margin ?? settings.margin
        guard let profile = vehicle.profile, let height = profile.height else {
            self.height = settings.assumed
            source = "assumed"
            status = .assumed
            return
        }
        source = profile.source
        if let end = Self.end(of: profile, since: vehicle.profileSince), time >= end {
            self.height = max(height, settings.assumed)
            status = .stale
        } else {
            self.height = height
            status = .ok
        }
    }

    /// When a profile ceases to hold; nil: never.
    static func end(of profile: HeightProfile, since arrival: Timestamp?) -> Timestamp? {
        guard let validFor = profile.validFor, let start = profile.measuredAt ?? arrival else { return nil }
        return start.adding(validFor)
    }
}
