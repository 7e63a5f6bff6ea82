import Roads

extension MapInForce {
    /// What is in force, for an engine of another thread.
    struct Parts: Sendable {
        let settings: EngineSettings
        let entries: MapEntries
        let network: RoadNetwork?
        let live: LiveClearances?
        let derived: DerivedMap?
        let turnModel: TurnModel
        let shared: SharedHazards?
        /// Nil: all is made on first use.
        var work: AwaitedWork?
    }
}
