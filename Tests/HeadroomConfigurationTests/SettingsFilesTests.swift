import Broker
import Foundation
import Testing

@testable import Gateway
@testable import HeadroomConfiguration

/// Files on disk: the configuration itself and those it names.
struct SettingsFilesTests {
    @Test func aConfigurationThatIsNoReadableFileIsRefused() throws {
        let folder = try SettingsFolder()
        func problem(_ path: String) -> String {
            do throws(SettingsError) {
                _ = try Settings.load(path: path, environment: [:])
                return ""
            } catch {
                return folder.shortened(error.description)
            }
        }
        #expect(
            problem(folder.path + "/absent.yaml") == "absent.yaml: there is no such file; name the configuration file")
        #expect(problem(folder.path).hasSuffix(": this is a directory; name the configuration file in it"))
        try Data([0x61, 0x3A, 0xFF]).write(to: URL(filePath: folder.path + "/latin.yaml"))
        #expect(problem(folder.path + "/latin.yaml").hasPrefix("latin.yaml: this is not UTF-8; "))
        try folder.write(String(repeating: "# road\n", count: 200_000), to: "big.yaml")
        #expect(problem(folder.path + "/big.yaml").hasPrefix("big.yaml: this is over 1000000 bytes long; "))
    }

    @Test func missingFilesAreReportedOnlyWhenValidated() throws {
        let folder = try SettingsFolder()
        let yaml = """
            broker: {url: "mqtts://b", username: u, ca_file: ca.pem, password_file: secret}
            roads:
              - a.roads
              - there.roads
            clearances: [.]
            store: state/headroom.sqlite
            console:
              tokens_file: tokens
            """
        try folder.write("", to: "there.roads")
        #expect(try folder.problems(yaml) == "")
        let environment = ["HEADROOM_FENCES": "f.geojson"]
        let rest = "name another file (relative names start from .)"
        #expect(
            try folder.problems(yaml, environment: environment, validating: true) == """
                headroom.yaml:1:50: broker.ca_file names ca.pem, which does not exist; \(rest)
                headroom.yaml:1:73: broker.password_file names secret, which does not exist; \(rest)
                headroom.yaml:3:5: roads names a.roads, which does not exist; \(rest)
                headroom.yaml:5:14: clearances names ., which is a directory; \(rest)
                headroom.yaml:6:8: store.file names state/headroom.sqlite, whose directory does not exist; make it, \
                or \(rest)
                headroom.yaml:8:16: console.tokens_file names tokens, which does not exist; \(rest)
                HEADROOM_FENCES: fences.files names f.geojson, which does not exist; \(rest)
                """)
    }

    @Test(arguments: [
        ("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), ("hunter2", "hunter2"), (" a b \n\n", " a b \n"),
    ])
    func thePasswordIsReadFromItsFileWithoutTheLineEnd(content: String, password: String) throws {
        let folder = try SettingsFolder()
        try folder.write(content, to: "secret")
        let loaded = try folder.load("broker: {username: u, password_file: secret}")
        #expect(loaded.settings.broker.password == nil)
        #expect(try loaded.validated().broker.password?.text == password)
    }

    @Test("Who uses a gateway's store, or its broker, has their passwords, whatever other files are missing")
    func passwordsBesideAGateway() throws {
        let folder = try SettingsFolder()
        let yaml = """
            broker: {username: u, password_file: broker-secret}
            store: {url: "postgresql://db/fleet", password_file: store-secret}
            roads: [another-machines.roads]
            """
        try folder.write("hunter2\n", to: "store-secret")
        let loaded = try folder.load(yaml)
        #expect(try loaded.withStorePassword().storePassword?.text == "hunter2")
        let error = #expect(throws: SettingsError.self) { try loaded.withPasswords() }
        #expect(error?.description.contains("broker-secret, which does not exist; name another file") == true)
        try folder.write("hunter3\n", to: "broker-secret")
        let settings = try loaded.withPasswords()
        #expect(settings.storePassword?.text == "hunter2")
        #expect(settings.broker.password?.text == "hunter3")
    }

    @Test(
        "A password or a password file in the environment wins over either in the file",
        arguments: [
            ("password_file: secret", ["HEADROOM_STORE_PASSWORD": "env"], "env"),
            ("password: yaml", ["HEADROOM_STORE_PASSWORD_FILE": "secret"], "hunter2"),
            ("password: yaml", ["HEADROOM_STORE_PASSWORD": "env"], "env"),
            ("password: yaml", [:], "yaml"),
        ] as [(String, [String: String], String)])
    func passwordInEnvironment(yaml: String, environment: [String: String], password: String) throws {
        let folder = try SettingsFolder()
        try folder.write("hunter2\n", to: "secret")
        let store = try folder.load("store: {url: \"postgresql://db/fleet\", \(yaml)}", environment: environment)
        #expect(try store.validated().storePassword?.text == password)
        let ofBroker = Dictionary(
            uniqueKeysWithValues: environment.map { ($0.key.replacing("STORE", with: "BROKER"), $0.value) })
        let broker = try folder.load("broker: {username: u, \(yaml)}", environment: ofBroker)
        #expect(try broker.validated().broker.password?.text == password)
    }

    @Test("A password and a password file in the environment are one too many")
    func passwordTwiceInEnvironment() throws {
        let environment = ["HEADROOM_STORE_PASSWORD": "a", "HEADROOM_STORE_PASSWORD_FILE": "b"]
        #expect(
            try SettingsFolder().problems("store: {url: \"postgresql://db/fleet\"}", environment: environment)
                == "HEADROOM_STORE_PASSWORD: the password is given twice; keep store.password_file or store.password")
    }

    @Test(arguments: ["", "\n"])
    func anEmptyPasswordFileIsRefused(content: String) throws {
        let folder = try SettingsFolder()
        try folder.write(content, to: "secret")
        #expect(
            try folder.problems("broker: {username: u, password_file: secret}", validating: true) == """
                headroom.yaml:1:38: broker.password_file names secret, which holds no password; \
                write it there, as UTF-8
                """)
    }

    @Test func aWebhooksSecretIsReadFromItsFile() throws {
        let folder = try SettingsFolder()
        let yaml = "hooks: [{url: \"https://a/\", secret_file: secret}]"
        let refused = "headroom.yaml:1:8: hooks[0].secret_file names secret, which holds no secret of a webhook; "
        #expect(try folder.problems(yaml, validating: true).hasPrefix(refused))
        try folder.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", to: "secret")
        #expect(try folder.load(yaml).validated().hooks.first?.secret?.key.count == 24)
        let inline = try folder.load("hooks: [{url: \"https://a/\", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}]")
        #expect(!inline.printed.contains("MfKQ"))
    }

    @Test func aPasswordIsNeverShown() throws {
        let loaded = try SettingsFolder().load(
            "broker: {username: u}", environment: ["HEADROOM_BROKER_PASSWORD": "hunter2"])
        #expect(loaded.settings.broker.password?.text == "hunter2")
        var dumped = ""
        dump(loaded, to: &dumped)
        #expect(!(dumped + loaded.printed + "\(loaded)" + String(reflecting: loaded)).contains("hunter2"))
        #expect(loaded.printed.contains(/broker\.password: \*\*\* +# environment HEADROOM_BROKER_PASSWORD\n/))
    }
}
