extension Settings {
    public struct Fences: Hashable, Sendable {
        /// Of which fences a vehicle is told on which side it is, once it or the fence becomes known.
        public enum Determined: String, CaseIterable, Sendable {
            case inside, all
        }

        /// GeoJSON files.
        public var files: [String]
        public var determined: Determined

        init(_ read: inout SettingsReader) {
            read.section("fences", "Where vehicles are told of coming and going.")
            files = read(
                "fences.files", short: "fences", .list(of: .file, example: "[fences.geojson]"), default: "",
                "Files of fences, GeoJSON. Where nothing else is set, fences: [fences.geojson] says the same.")
            determined = read(
                "fences.determined", .oneOf, default: "inside",
                "Of which fences a vehicle that is new to them is told: inside, of those that it is inside of or that name "
                    + "it under vehicles; all, also of those that it is outside of, at most the nearest 1,000 at a time."
            )
        }
    }
}
