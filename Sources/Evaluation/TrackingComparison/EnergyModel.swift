import Fleet
public import Geo

/// What positions and messages cost a phone: published measurements, and the assumptions between them.
///
/// What is the same for every way of reporting is left out: the phone's idle draw, the keep-alive of the connection, and the
/// watching of regions and significant changes, which the modem does by the cells that it listens to anyhow.
public enum EnergyModel {
    public typealias Watts = Double
    public typealias Joules = Double

    // MARK: The receiver

    /// Of a GPS receiver with its internal antenna while it is on: 143.1 mW (Carroll and Heiser, "An Analysis of Power
    /// Consumption in a Smartphone", USENIX ATC 2010).
    public static let receiver: Watts = 0.1431
    /// How long a receiver that was off for a while searches before its first fix: "typical hot TTFF is ~5 seconds" (Android
    /// Open Source Project, `GnssLocationProvider`).
    public static let acquisition: Seconds = 5
    /// A receiver whose next fix is wanted so soon is left on between the two: `GPS_POLLING_THRESHOLD_INTERVAL`, 10 s (same
    /// source).
    public static let keptOnFor: Seconds = 10

    // MARK: The radio

    // Huang, Qian, Gerber, Mao, Sen and Spatscheck, "A Close Examination of Performance and Power Characteristics of 4G LTE
    // Networks", MobiSys 2012: the power model of a commercial LTE network.

    /// From idle to connected: 260.1 ms at 1210.7 mW.
    public static let promotion: Joules = 0.2601 * 1.2107
    /// For so long after its last byte the radio stays connected…
    public static let tail: Seconds = 11.576
    /// …at 1060.0 mW.
    public static let tailPower: Watts = 1.060
    /// While it sends: 1288.04 mW at a throughput near 0, …
    public static let sending: Watts = 1.28804
    /// …for a message of some hundred bytes and its acknowledgement: one round trip. Assumed.
    public static let transfer: Seconds = 0.1

    // MARK: The battery

    /// 15 Wh: what a phone of 2020 and later has. Assumed.
    public static let battery: Joules = 15 * 3600
}
