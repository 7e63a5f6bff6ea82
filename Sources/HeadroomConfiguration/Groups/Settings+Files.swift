import Broker
import Fleet
package import Store

extension Settings {
    mutating func readFiles(_ read: inout SettingsReader) {
        read(
            "roads", .list(of: .file, example: "[region.roads]"), into: &roads, default: "",
            "Road files, made by headroom roads build; several are joined. Without any, clearances count alone.")
        read(
            "clearances", .list(of: .file, example: "[extra.geojson]"), into: &clearances, default: "",
            "Files of further clearances, GeoJSON, beside those in the road files and on the topics.")
        readFences(&read)
        readStore(&read)
    }

    private mutating func readStore(_ read: inout SettingsReader) {
        read.section("store", "Where the gateway keeps its state.")
        read(
            "store.file", short: "store", .newFile, into: &store, default: "headroom.sqlite",
            "An SQLite file; made if missing. Where nothing else is set, store: headroom.sqlite says the same.")
        read(
            "store.url", .optional(.databaseAddress), into: &storeURL, default: "",
            "A PostgreSQL database instead of the file: postgresql://user@host:port/database, with parameters as libpq takes "
                + "them. What stands beside the file, as messages that no broker takes, still does.")
        read(
            "store.password", .optional(.secret), into: &storePassword, default: "",
            "Of the database's user. Better in password_file, or in HEADROOM_STORE_PASSWORD: this file may be read by others."
        )
        read(
            "store.password_file", .optional(.file), into: &storePasswordFile, default: "",
            "A file that holds the password; a line end after it is not part of it.")
        read.keepOne(&storePassword, "store.password", orOf: &storePasswordFile, "store.password_file")
        read(
            "store.durability", .oneOf, into: &durability, default: "power",
            "What an acknowledged message survives: process, the end of the gateway at any moment; power, a power loss as "
                + "well, for which every commit waits until the disk has it.")
        read(
            "store.snapshot_interval", .duration(1...3_600), into: &snapshotInterval, default: "60 s",
            "A vehicle that has changed is written within this time; until then a journal has its fixes. Longer is less "
                + "work for a fleet that reports often, and more of it at the start after a crash.")
    }

    func requireStoreSense(_ read: inout SettingsReader) {
        read.require(
            storeURL != nil || (storePassword == nil && storePasswordFile == nil), of: "store.url",
            and: "store.password_file", "store.password", wrong: "there is a password but no database",
            right: "write store.url")
    }

    /// Where the store is.
    package var storeLocation: StoreLocation {
        guard var address = storeURL else { return .file(store) }
        address.password = storePassword?.text
        return .postgreSQL(address)
    }

    private mutating func readFences(_ read: inout SettingsReader) {
        read.section("fences", "Where vehicles are told of coming and going.")
        read(
            "fences.files", short: "fences", .list(of: .file, example: "[fences.geojson]"), into: &fences, default: "",
            "Files of fences, GeoJSON. Where nothing else is set, fences: [fences.geojson] says the same.")
        read(
            "fences.determined", .oneOf, into: &engine.determined, default: "inside",
            "Of which fences a vehicle that is new to them is told: inside, of those that it is inside of or that name "
                + "it under vehicles; all, also of those that it is outside of, at most the nearest 1,000 at a time.")
    }
}
