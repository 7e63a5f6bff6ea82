public import Messages

/// What is retained about vehicles, for a broker that has lost it.
extension Engine {
    /// Publishes again what was published last of all that is retained about a vehicle; nothing about one that is not kept, or may
    /// not be any more. Receivers that have it know it by its id and sequence.
    public func publishAgain(_ id: VehicleID, in batch: inout EngineBatch) {
        guard let vehicle = vehicles[id]?.copy, vehicle.mayBeKept(settings.consent) else { return }
        // A position that is to be shown no longer is about to leave the topic (`prepare`).
        let showsPosition = settings.showsPosition && vehicle.isInUse(settings.consent)
        let state = vehicle.published.flatMap { $0.position == nil || showsPosition ? $0 : nil }
        let regions = vehicle.lastFix.flatMap { fix in
            vehicle.regions.again(
                limit: settings.regions.limit, of: id, since: vehicle.firstFix ?? fix.time, at: fix.time)
        }
        let retained = [
            state.map(Message.state), regions.map(Message.regions), vehicle.quiet.published.map(Message.tracking),
        ]
        batch.effects.envelopes += retained.compactMap(\.self)
            .map { Envelope(address: vehicle.address, message: $0) }
    }
}
