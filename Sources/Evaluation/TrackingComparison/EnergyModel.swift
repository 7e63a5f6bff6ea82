import Fleet
package import Geo
import Messages

/// What positions and messages cost a phone: two sets of figures between which phones and networks lie.
///
/// What is the same for every way of reporting is left out: the phone's idle draw, the keep-alive of the connection, and the
/// watching of regions and significant changes, which the modem does by the cells that it listens to anyhow.
package struct EnergyModel: Equatable, Sendable {
    package typealias Watts = Double
    package typealias Joules = Double

    // MARK: The receiver

    /// While it is on. Low: 143 mW, a single-frequency module in continuous navigation ("143 to 166 mW": Chen and Tan,
    /// "Modeling and Improving the Energy Performance of GPS Receivers for Mobile Applications", arXiv:1503.02656, 2015).
    /// High: 227 mW, which is 166 mW and the 37 % more that a dual-frequency receiver takes outdoors (Karki and Won,
    /// "Characterizing Power Consumption of Dual-Frequency GNSS of Smartphone", arXiv:1910.13041, 2019).
    package var receiver: Watts
    /// How long a receiver that was off for a while searches before its first fix: "Typical hot TTFF is ~5 seconds" (Android
    /// Open Source Project, comment on the constant below in `GnssLocationProvider`).
    package static let acquisition: Seconds = 5
    /// A receiver whose next fix is wanted so soon is left on between the two: `GPS_POLLING_THRESHOLD_INTERVAL`, 10 s (same
    /// source).
    package static let keptOnFor: Seconds = 10

    // MARK: The radio

    // That a radio of LTE stays connected, at high power, for some seconds after its last byte, and that this tail is what
    // small messages cost most by, is the finding of Huang, Qian, Gerber, Mao, Sen and Spatscheck, "A Close Examination of
    // Performance and Power Characteristics of 4G LTE Networks", MobiSys 2012. How long and at what power is up to network
    // and phone: the figures below are assumptions of this program, with room on both sides of that.

    /// From idle to connected. Assumed.
    package var promotion: Joules
    /// For so long after its last byte the radio stays connected; networks set it, to some ten seconds. Assumed.
    package var tail: Seconds
    /// Meanwhile; low with discontinuous reception. Assumed.
    package var tailPower: Watts
    /// For a message of some hundred bytes and its acknowledgement, one round trip. Assumed.
    package var message: Joules

    package static let low = EnergyModel(receiver: 0.143, promotion: 0.1, tail: 5, tailPower: 0.5, message: 0.05)
    package static let high = EnergyModel(receiver: 0.227, promotion: 0.4, tail: 12, tailPower: 1.2, message: 0.4)

    // MARK: The battery

    /// 15 Wh: what a phone of 2020 and later has. Assumed.
    package static let battery: Joules = 15 * 3600
}
