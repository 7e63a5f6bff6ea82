import Foundation

extension Settings {
    mutating func readEngine(_ read: inout SettingsReader) {
        read.section("engine", "How the work is divided.")
        read(
            "engine.shards", .shards, into: &shards, default: "1",
            "Into how many parts the fleet is divided, each with a thread and a part of the store of its own; auto: one for each "
                + "core. A store keeps the number that it was made with. In a cluster cluster.queues says it, and "
                + "this stays 1.")
    }
}

extension SettingKind where Value == Int {
    /// Each shard has a map's hazards in memory and costs a commit with each pass: 64 are more than one broker connection feeds.
    private static var shardsMax: Int { 64 }

    static var shards: Self {
        Self("auto or a whole number from 1 to \(shardsMax)") { text, _ in
            if text == "auto" { return min(ProcessInfo.processInfo.activeProcessorCount, shardsMax) }
            return Int(text).flatMap { (1...shardsMax).contains($0) ? $0 : nil }
        }
    }
}
