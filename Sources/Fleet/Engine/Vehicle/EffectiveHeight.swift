public import Geo
import Messages

/// How high a vehicle counts at one moment, and on whose word.
struct EffectiveHeight: Hashable {
    /// Without the margin.
    var height: Centimetres
    var margin: Metres
    var source: String
    var status: StateMessage.HeightStatus

    /// Rounded up to a centimetre.
    @inline(__always)
    var effective: Centimetres {
        // In tenths of a millimetre; the subtrahend takes back what binary fractions add to 0.0762.
        let marginTenths = margin * 10_000 - 1e-6
        // As `rounded(.up)` has it, which is a call of the C library.
        let whole = Int(marginTenths)
        return (height * 100 + (Double(whole) < marginTenths ? whole + 1 : whole) + 99) / 100
    }

    /// Nobody has said anything.
    init(assumed settings: EngineSettings.Heights) {
        height = settings.assumed
        margin = settings.margin
        source = "assumed"
        status = .assumed
    }

    @inline(__always)
    init(of vehicle: Vehicle, at time: Timestamp, _ settings: EngineSettings.Heights) {
        self.init(assumed: settings)
        margin = vehicle.profile?.margin ?? settings.margin
        guard let profile = vehicle.profile, let height = profile.height else { return }
        source = profile.source
        if let end = Self.end(of: profile, since: vehicle.profileSince, settings), time >= end {
            self.height = max(height, settings.assumed)
            status = .stale
        } else {
            self.height = height
            status = .ok
        }
    }

    /// When a profile ceases to hold; nil: never.
    static func end(
        of profile: HeightProfile, since arrival: Timestamp?, _ settings: EngineSettings.Heights
    ) -> Timestamp? {
        // Whose clock is ahead does not make a height hold for longer.
        let times = [profile.measuredAt, arrival].compactMap(\.self)
        guard let validFor = profile.validFor ?? settings.validFor, let start = times.min() else { return nil }
        return start.adding(validFor)
    }
}

extension EngineSettings.Heights {
    /// What a vehicle counts as that nobody has said anything of.
    public var assumedEffective: Centimetres { EffectiveHeight(assumed: self).effective }
}
