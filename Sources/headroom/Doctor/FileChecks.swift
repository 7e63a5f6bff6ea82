import Broker
import Console
import Foundation
import Gateway
import HeadroomConfiguration
import Logging
import RoadImport
import Roads
import Store
import Wire

/// Whether the files of a configuration are as the gateway needs them.
struct FileChecks {
    /// A day of ten thousand vehicles, by the sizes in the Operations article, takes less.
    private static let freeBytesMin = 1 << 30
    /// What the next batches need.
    private static let freeBytesLeast = 100 << 20
    /// Days; bridges and signs change more slowly.
    private static let roadsAgeMax = 365
    /// Days in which a certificate can be renewed without haste.
    private static let certificateDaysMin = 30
    private static let storeCheckMax: Duration = .seconds(60)

    private let settings: Settings
    private let gateway: GatewayConfiguration

    init(_ settings: Settings, _ gateway: GatewayConfiguration) { (self.settings, self.gateway) = (settings, gateway) }

    func run() -> [CheckResult] { [disk, store] + topics + roads + entries + [console] + certificates + secrets }

    // MARK: The store

    private var disk: CheckResult {
        let directory = URL(filePath: settings.store).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: directory) else {
            return CheckResult(
                "disk", .failed, "\(directory) is not there or cannot be written",
                advice: "make it, writable for the user that runs the gateway, or set `store` to another place")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.intValue else {
            return CheckResult("disk", .warning, "the space left at \(directory) cannot be told")
        }
        let finding = "\(Int64(free).formatted(.byteCount(style: .file))) free at \(directory)"
        let status: CheckResult.Status =
            free < Self.freeBytesLeast ? .failed : free < Self.freeBytesMin ? .warning : .ok
        let advice = "make room: where the disk is full, the gateway takes no messages until there is some"
        return CheckResult("disk", status, finding, advice: status == .ok ? nil : advice)
    }

    private var store: CheckResult {
        let first: StoreReader
        do throws(StoreError) {
            first = try StoreReader(settings.storeLocation)
        } catch {
            if case .missing = error {
                return CheckResult("store", .ok, "\(settings.storeLocation): not there yet; the gateway makes it")
            }
            return CheckResult("store", .failed, "\(error)")
        }
        do throws(StoreError) {
            // In a cluster parts are made when their queues are first taken over.
            let parts = try gateway.cluster == nil ? first.parts() : [first]
            guard case .file = settings.storeLocation else {
                return CheckResult("store", .ok, "\(first.path): can be read")
            }
            for part in parts {
                switch try StoreCheck(path: part.path).run(within: Self.storeCheckMax) {
                case .sound: continue
                case .unfinished:
                    return CheckResult(
                        "store", .warning, "\(part.path): not checked to its end within \(Self.storeCheckMax)",
                        advice: "`headroom backup` checks all of it")
                case .damaged(let findings):
                    return CheckResult(
                        "store", .failed, "\(part.path): damaged: \(findings.joined(separator: "; "))",
                        advice: "stop the gateway and restore the store from a backup")
                }
            }
            return CheckResult("store", .ok, "\(settings.store): sound")
        } catch {
            return CheckResult("store", .failed, "\(error)")
        }
    }

    /// Topics other than those of the last start with this store.
    private var topics: [CheckResult] {
        // What is wrong with a store that cannot be read is told as such.
        guard let reader = try? StoreReader(settings.storeLocation), let former = try? gateway.formerTopics(in: reader)
        else { return [] }
        var results: [CheckResult] = []
        if let pattern = former.pattern {
            results.append(
                CheckResult(
                    "topics", .warning,
                    "`fleet.topic` is \(gateway.pattern), and \(pattern) with the last start on this store",
                    advice: """
                        let the gateway's account write on both: known vehicles' state, regions, tracking and handling are emptied on \
                        \(pattern)/… and published on \(gateway.pattern)/…; what others have retained there is neither moved nor in \
                        force: have routes published anew, and profiles and consents of vehicles that are not known yet
                        """))
        }
        if let prefix = former.prefix {
            let (topics, name) = (gateway.topics, "{id}")
            results.append(
                CheckResult(
                    "topics", .warning,
                    "`headroom.topic` is \(topics.prefixLevels), and was \(prefix) with the last start on this store",
                    advice: """
                        have fences and clearances published, retained, on \(topics.fence(name)) and \(topics.clearance(name)), and \
                        clear what stands below \(prefix): the gateway does neither
                        """))
        }
        return results
    }

    // MARK: Maps and entries

    private var roads: [CheckResult] {
        guard !settings.roads.isEmpty else {
            return [
                CheckResult(
                    "roads", .warning,
                    "no road file: clearances are judged by straight line, which says Possible and no more",
                    advice: "make one with `headroom roads build`, and name it under `roads`")
            ]
        }
        return settings.roads.map { path in
            do {
                let network = try RoadNetwork.open(path)
                try network.verify()
                return age(of: path, network)
            } catch {
                let reason = error is FileError ? "\(error)" : "\(path): \(error)"
                return CheckResult("roads", .failed, reason, advice: "build it again with `headroom roads build`")
            }
        }
    }

    private func age(of path: String, _ network: RoadNetwork) -> CheckResult {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let days = (attributes?[.modificationDate] as? Date).map { Int(-$0.timeIntervalSinceNow / 86_400) } ?? 0
        let finding =
            "\(path): sound, \(network.edgeCount) edges, \(network.clearanceCount) clearances, built \(days) days ago"
        guard days > Self.roadsAgeMax else { return CheckResult("roads", .ok, finding) }
        return CheckResult(
            "roads", .warning, finding,
            advice: "build it again from a newer extract: signs and bridges have changed since")
    }

    /// Fences and clearances that the configuration names.
    private var entries: [CheckResult] {
        guard !settings.clearances.isEmpty || !settings.fences.isEmpty else { return [] }
        var refused: [CheckResult] = []
        do {
            let files = try GatewayFiles(settings, keepsJoinedRoads: false) { text in
                refused.append(
                    CheckResult("entries", .warning, text, advice: "correct the entry; the others are used without it"))
            }
            let finding = "\(files.clearances.count) clearances and \(files.fences.count) fences of files"
            return refused + [CheckResult("entries", .ok, finding)]
        } catch {
            return refused + [CheckResult("entries", .failed, "\(error)")]
        }
    }

    // MARK: The console

    /// As `serve` makes it: that reads the tokens, and the certificate with its key.
    private var console: CheckResult {
        let quiet = Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }
        do {
            _ = try Console(
                settings: settings.console, configuration: gateway, shared: SharedState(version: programVersion),
                logger: quiet)
            return CheckResult("console", .ok, "can be started, on \(settings.console.listen)")
        } catch {
            return CheckResult("console", .failed, "\(error)", advice: "correct it: `serve` ends with exit 2")
        }
    }

    // MARK: Certificates and secrets

    private var certificates: [CheckResult] {
        let brokers = settings.broker.usesTLS ? [settings.broker.tls.caFile, settings.broker.tls.certFile] : []
        return (brokers + [settings.console.tls?.certificate]).compactMap(\.self).map { path in
            guard let end = CertificateExpiry.earliest(inFile: path) else {
                return CheckResult("certificate", .failed, "\(path): expected certificates in PEM, got none")
            }
            return Self.certificate(path, validUntil: end)
        }
    }

    /// - Parameter end: in seconds since 1970.
    static func certificate(_ name: String, validUntil end: Int) -> CheckResult {
        let date = Date(timeIntervalSince1970: Double(end))
        let finding = "\(name): valid until \(date.formatted(.iso8601))"
        let days = date.timeIntervalSinceNow / 86_400
        let status: CheckResult.Status = days < 0 ? .failed : days < Double(certificateDaysMin) ? .warning : .ok
        return CheckResult("certificate", status, finding, advice: status == .ok ? nil : "renew it")
    }

    private var secrets: [CheckResult] {
        let keys = [
            settings.passwordFile, settings.broker.tls.keyFile, settings.console.tls?.key, settings.console.tokensFile,
        ]
        return (keys + settings.hooks.map(\.secretFile)).compactMap(\.self).compactMap { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
            guard mode & 0o007 != 0 else { return nil }
            return CheckResult(
                "secrets", .warning, "\(path) can be read by every user of this machine",
                advice:
                    "let the gateway's user alone read it (chmod 600); under systemd keep it in /etc/credstore, for LoadCredential"
            )
        }
    }
}
