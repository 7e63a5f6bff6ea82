import Foundation
import Testing
import Yams

/// What is shipped for running it: container file, compose file and systemd unit, as far as they can be judged without
/// running them.
struct DeploymentEndToEndTests {
    private static let containerFile = "deploy/container/Containerfile"

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path())
    }

    // MARK: Containers

    /// The instructions of the container file, continued lines joined.
    private func instructions() throws -> [[String]] {
        try text(Self.containerFile).replacing("\\\n", with: " ").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").map(String.init) }
    }

    private func stages() throws -> [String] { try instructions().filter { $0[0] == "FROM" }.map { $0[3] } }

    @Test("The package's configuration is valid, and its maintainer scripts are shell")
    func package() async throws {
        let scratch = try Scratch()
        let configuration = try text("deploy/debian/headroom.yaml")
            .replacing("/var/lib/headroom/headroom.sqlite", with: scratch.path("headroom.sqlite"))
        let check = try await run(
            Repository.program, ["check-config", try scratch.write(configuration, to: "headroom.yaml")], scratch)
        #expect(check.status == 0, "\(check.errors)")
        for name in ["postinst", "prerm", "postrm"] {
            let script = Repository.root.appending(path: "deploy/debian/\(name)").path()
            let shell = try await run("/bin/sh", ["-n", script], scratch)
            #expect(shell.status == 0, "\(name): \(shell.errors)")
        }
        // The unit names the program where the package has it.
        #expect(try text("deploy/systemd/headroom.service").contains("ExecStart=/usr/local/lib/headroom/headroom "))
    }

    @Test("Every file that the images are made of is in the tree, and not excluded from the build's context")
    func copies() throws {
        let copies = try instructions().filter { $0[0] == "COPY" && !$0[1].hasPrefix("--from") }
        let sources = copies.flatMap { $0.dropFirst().dropLast() }
        let seen = try text("\(Self.containerFile).dockerignore").split(separator: "\n").filter { $0.hasPrefix("!") }
            .map { $0.dropFirst() }
        #expect(sources.count >= 6)
        for source in sources {
            #expect(exists(source), "\(source)")
            #expect(seen.contains { source == $0 || source.hasPrefix("\($0)/") }, "\(source) is ignored")
        }
    }

    /// A compose file, and which services it has.
    struct Compose: CustomTestStringConvertible {
        var folder: String
        var services: Set<String>
        var testDescription: String { folder }

        static let all = [
            Compose(folder: "deploy", services: ["broker", "gateway"]),
            Compose(
                folder: "deploy/cluster",
                services: [
                    "rabbitmq1", "rabbitmq2", "rabbitmq3", "haproxy", "postgresql1", "postgresql2", "gateway1",
                    "gateway2",
                ]),
        ]
    }

    /// A path as the compose file has it, from the top of the repository.
    private func path(_ relative: some StringProtocol, in folder: String) -> String {
        URL(filePath: "/\(folder)/\(relative)").standardized.path().trimmingPrefix("/").description
    }

    @Test(
        "Every file and stage that a compose file names exists, or is one that the Operations article has people make",
        arguments: Compose.all)
    func compose(_ compose: Compose) throws {
        let document = try #require(try Yams.load(yaml: text("\(compose.folder)/compose.yaml")) as? [String: Any])
        let services = try #require(document["services"] as? [String: [String: Any]])
        let volumes = try #require(document["volumes"] as? [String: Any?])
        let article = try text("Sources/headroom/Headroom.docc/Operations.md")
        #expect(Set(services.keys) == compose.services)
        for (name, service) in services {
            let build = try #require(service["build"] as? [String: String])
            #expect(path(build["context"] ?? "", in: compose.folder) == "", "\(name)")
            #expect(build["dockerfile"] == Self.containerFile)
            #expect(try stages().contains(build["target"] ?? ""), "\(name)")
            #expect(service["healthcheck"] is [String: Any], "\(name)")
            for mount in try #require(service["volumes"] as? [String]) {
                let source = String(try #require(mount.split(separator: ":").first))
                guard source.hasPrefix(".") else {
                    #expect(volumes.keys.contains(source), "\(mount)")
                    continue
                }
                let path = path(source, in: compose.folder)
                #expect(exists(path) || article.contains(path), "\(mount)")
            }
        }
    }

    /// A file in the place of one that settings name.
    private func standIn(_ path: String, _ scratch: Scratch) async throws -> String {
        let name = try String(#require(path.split(separator: "/").last))
        if name.hasSuffix(".roads") { return try await demoRoads(scratch) }
        if name.hasSuffix(".sqlite") { return scratch.path(name) }
        return try scratch.write(name == "console-tokens" ? "viewer view-me\n" : "secret\n", to: name)
    }

    @Test("The settings of a cluster's gateways are right, and name hosts of the compose file and files that it mounts")
    func clusterSettings() async throws {
        let compose = try text("deploy/cluster/compose.yaml")
        let settings = try text("deploy/cluster/headroom.yaml")
        for host in ["haproxy", "postgresql1", "postgresql2"] {
            #expect(settings.contains(host) && compose.contains("  \(host):\n"), "\(host)")
        }
        let scratch = try Scratch()
        var moved = settings
        for file in settings.matches(of: /\/(run|roads)\/[^\s\]]+/).map({ String($0.0) }) {
            #expect(compose.contains(":\(file.hasPrefix("/roads") ? "/roads" : file):ro"), "\(file)")
            moved = moved.replacing(file, with: try await standIn(file, scratch))
        }
        let check = try await run(
            Repository.program, ["check-config", try scratch.write(moved, to: "cluster.yaml")], scratch)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test("HAProxy reads its settings, and the script of the PostgreSQL servers is shell")
    func clusterFiles() async throws {
        let scratch = try Scratch()
        let script = Repository.root.appending(path: "deploy/cluster/postgresql").path()
        let shell = try await run("/bin/bash", ["-n", script], scratch)
        #expect(shell.status == 0, "\(shell.errors)")
        let key = scratch.path("key.pem")
        let certificate = scratch.path("certificate.pem")
        let made = try await run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=localhost",
                "-keyout", key, "-out", certificate,
            ], scratch)
        #expect(made.status == 0, "\(made.errors)")
        let both =
            try String(contentsOfFile: certificate, encoding: .utf8) + String(contentsOfFile: key, encoding: .utf8)
        let settings = try text("deploy/cluster/haproxy.cfg")
            .replacing("/etc/haproxy/server.pem", with: try scratch.write(both, to: "server.pem"))
        // As many connections as the machine of a test permits.
        let check = try await run(
            Repository.tool("haproxy"), ["-c", "-n", "100", "-f", try scratch.write(settings, to: "haproxy.cfg")],
            scratch)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test("The settings of the container are right, and name the files that are mounted there")
    func settings() async throws {
        let scratch = try Scratch()
        let mounts = try text("deploy/compose.yaml").matches(of: /:(?<target>\/(run|roads|var|etc)[^:\s]*)/)
            .map { String($0.target) }
        let named = try text("deploy/container/headroom.yaml").matches(of: /[ \[](?<path>\/[a-z][^\s\]]*)/)
            .map { String($0.path) }
        #expect(named.count == 5)
        for path in named { #expect(mounts.contains { path.hasPrefix($0) }, "\(path)") }
        // The same settings with those files in another place.
        var moved = try text("deploy/container/headroom.yaml")
        for path in named {
            moved = moved.replacing(path, with: try await standIn(path, scratch))
        }
        let check = try await run(
            Repository.program, ["check-config", try scratch.write(moved, to: "container.yaml")], scratch)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    /// The Debian packages that hold the libraries a program needs; a library of the Swift toolchain, which is linked in,
    /// stands for those that it needs itself.
    private func packages(of program: String, _ scratch: Scratch) async throws -> Set<String> {
        let found = try await run("/usr/bin/ldd", [program], scratch).output.matches(of: /(\S+) => (\S+)/)
        let places = Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
        let owners = try await owners(of: Array(places.values), scratch)
        var packages: Set<String> = []
        var seen: Set<String> = []
        var files = [program]
        while let file = files.popLast() {
            guard seen.insert(file).inserted else { continue }
            let needed = try await run("/usr/bin/readelf", ["-d", file], scratch).output
            for library in needed.matches(of: /\(NEEDED\).*\[(.+)\]/) {
                guard let place = places[String(library.1)] else { continue }
                if let package = owners[place] { packages.insert(package) } else { files.append(place) }
            }
        }
        return packages
    }

    /// By file; those of no package are not among them. Where /lib is a link to /usr/lib, a package may know a file by
    /// either name.
    private func owners(of files: [String], _ scratch: Scratch) async throws -> [String: String] {
        let bare = files.map { String($0.trimmingPrefix("/usr")) }
        let told = try await run("/usr/bin/dpkg", ["-S"] + bare + bare.map { "/usr" + $0 }, scratch).output
        let owners = Dictionary(
            told.matches(of: /(?m)^([^:,\s]+)(?::\w+)?: (\/\S+)$/).map { match in
                (String(match.2.trimmingPrefix("/usr")), String(match.1))
            }, uniquingKeysWith: { first, _ in first })
        return Dictionary(
            zip(files, bare).compactMap { file, bare in owners[bare].map { (file, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("The gateway's image installs the packages of every library that the program needs, and no other library")
    func libraries() async throws {
        let scratch = try Scratch()
        let needed = try await packages(of: Repository.program, scratch)
        let all = try instructions()
        let start = try #require(all.firstIndex { $0[0] == "FROM" && $0.last == "gateway" })
        let install = try #require(all[start...].first { $0[0] == "RUN" })
        let options = install.drop { $0 != "install" }.prefix { $0 != "&&" }
        let installed = Set(options.filter { !$0.hasPrefix("-") && $0 != "install" })
        // libc6 and libgcc-s1 are in every Debian.
        #expect(installed.isSuperset(of: needed.subtracting(["libc6", "libgcc-s1"])), "\(needed)")
        let unneeded = installed.subtracting(needed)
        #expect(unneeded.filter { $0.hasPrefix("lib") || $0.hasPrefix("zlib") } == [])
    }

    // MARK: systemd

    @Test("The unit sets no setting, and the configuration files for it name a store in its directory")
    func unitStore() throws {
        let lines = try text("deploy/systemd/headroom.service").split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("#") || !$0.contains("HEADROOM_") })
        let directory = try #require(lines.first { $0.hasPrefix("StateDirectory=") }).split(separator: "=")[1]
        let article = try text("Sources/headroom/Headroom.docc/Operations.md")
        let section = try #require(article.components(separatedBy: "\n## systemd\n").last)
        let documented = try #require(section.firstMatch(of: /(?s)```yaml\n(.*?)```/)).1
        for configuration in [String(documented), try text("deploy/debian/headroom.yaml")] {
            let settings = try #require(try Yams.load(yaml: configuration) as? [String: Any])
            #expect(settings["store"] as? String == "/var/lib/\(directory)/headroom.sqlite")
        }
    }

    @Test(
        "The systemd unit is valid, and permits the program little that it does not need",
        .enabled(if: Repository.isThere(Repository.tool("systemd-analyze")), "systemd-analyze is missing"))
    func unit() async throws {
        let scratch = try Scratch()
        let analyze = Repository.tool("systemd-analyze")
        let unit = try text("deploy/systemd/headroom.service")
        let file = try scratch.write(
            unit.replacing("/usr/local/lib/headroom/headroom", with: Repository.program), to: "headroom.service")
        let verify = try await run(analyze, ["verify", "--man=no", file], scratch)
        #expect(verify.status == 0 && verify.errors.isEmpty, "\(verify.errors)")
        // In tenths, of 100 for a unit that locks nothing.
        let security = try await run(analyze, ["security", "--offline=yes", "--threshold=15", file], scratch)
        #expect(security.status == 0, "\(security.output.suffix(200))")
    }
}
