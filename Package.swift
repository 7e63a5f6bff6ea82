// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// What computes: unoptimised, the tests of whole maps take four times as long, and those of whole drives twice. A release build
/// with `-enable-testing` would need no flag, and takes three times as long as debug and release together. SwiftPM refuses
/// such flags in a package that another one depends on, and checks that one out below `checkouts`.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let optimized = settings + (isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])
let optimizedCxx: [CXXSetting] = isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]
/// That no access to a variable overlaps another is checked at run time in debug builds alone, which all tests are: it takes 8 %
/// of the engine's instructions.
let core =
    optimized + (isDependency ? [] : [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))])

/// Swift's libraries become part of the program: calls into shared ones cost the gateway a fifth of its time. The flag of SwiftPM for
/// that (`--static-swift-stdlib`) is one for all targets, tests among them, for which there is no such library; without it Foundation
/// does not name what it needs itself.
let runtimeIncluded: [LinkerSetting] =
    isDependency
    ? []
    : [
        .unsafeFlags(
            [
                "-static-stdlib",
                "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
            ], .when(platforms: [.linux], configuration: .release))
    ]

// Products of other packages that several targets need.
let algorithms: Target.Dependency = .product(name: "Algorithms", package: "swift-algorithms")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

func target(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, settings: [SwiftSetting] = settings
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// A command-line program of the tests.
func program(
    _ name: String, _ dependencies: [Target.Dependency], path: String, linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + [argumentParser], path: path, swiftSettings: settings,
        linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "Headroom",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "headroom", targets: ["headroom"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Thin shims round C and C++ libraries that the system packages bring: no logic.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(
            name: "COsmium", cxxSettings: optimizedCxx,
            linkerSettings: ["z", "bz2", "expat", "lz4"].map { .linkedLibrary($0) }),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CRabbitMQ", pkgConfig: "librabbitmq", providers: [.apt(["librabbitmq-dev"])]),
        .systemLibrary(name: "CTimex"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

        // The pure core: no clock, no input or output, no concurrency.
        target("BinaryCoding", settings: core),
        target("Compression", ["CZstd"], settings: core),
        target("Hashing", settings: core),
        target("MQTT", ["Hashing"], settings: core),
        target("Geo", settings: core),
        target("Clearances", ["Geo", "Hashing"], settings: core),
        target("Roads", ["BinaryCoding", "Clearances", "Geo", "Hashing", algorithms, heap], settings: core),
        target("Messages", ["Clearances", "Geo", "Hashing", "Roads"], settings: core),
        target(
            "Fleet",
            ["BinaryCoding", "Clearances", "Compression", "Geo", "Hashing", "Messages", "Roads", algorithms, heap],
            settings: core),

        // Beside the core, and used by the command line alone: drawn trips, and what they were told.
        target(
            "Evaluation",
            ["Clearances", "Fleet", "Geo", "Hashing", "Messages", "Roads", algorithms, heap],
            settings: core),

        // Adapters.
        target(
            "RoadImport", ["Clearances", "COsmium", "Geo", "Hashing", "Messages", "Roads", "Wire"], settings: optimized),
        target("Wire", ["Clearances", "CSimdJSON", "Geo", "Hashing", "Messages", "MQTT"], settings: optimized),
        target("Cryptography", ["COpenSSL"]),
        target("PostgreSQL", ["CPostgreSQL"]),
        target("RabbitMQ", ["CRabbitMQ"]),
        target(
            "Store",
            [
                "Compression", "Cryptography", "Geo", "Hashing", "Messages", "MQTT", "PostgreSQL", "Roads", algorithms,
                grdb,
            ],
            settings: optimized),
        target("Reports", ["Geo", "Hashing", "Messages", "Store", "Wire"]),
        target("Broker", ["CMosquitto", "Hashing", "MQTT"]),
        target(
            "Gateway",
            [
                "BinaryCoding", "Broker", "Clearances", "Cryptography", "Fleet", "Geo", "Hashing", "Messages", "MQTT",
                "RabbitMQ", "Roads", "Store", "Wire", deque, logging, serviceLifecycle,
            ],
            settings: optimized),
        .target(
            name: "Console",
            dependencies: [
                "CZlib", "Clearances", "Fleet", "Gateway", "Geo", "Hashing", "Messages", "QRCode", "Reports", "Roads",
                "Store", "Wire", algorithms, .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"), logging, serviceLifecycle,
            ],
            resources: [.copy("Page"), .copy("Documents")], swiftSettings: settings),
        target("QRCode", ["CQREncode"]),
        target(
            "Webhooks",
            [
                "Cryptography", "Gateway", "Store", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                logging, .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), serviceLifecycle,
            ]),
        target("Traces", ["Broker", "CExpat", "Fleet", "Gateway", "Geo", "Messages", "MQTT", "RoadImport", "Wire"]),
        target(
            "HeadroomConfiguration",
            [
                "Broker", "Console", "Fleet", "Gateway", "Geo", "Messages", "MQTT", "RabbitMQ", "Roads", "Store",
                "Wire", logging, yams,
            ]),
        .executableTarget(
            name: "headroom",
            dependencies: [
                "Broker", "CTimex", "Clearances", "Console", "Evaluation", "Fleet", "Gateway", "Geo", "Hashing",
                "HeadroomConfiguration", "Messages", "MQTT", "QRCode", "RabbitMQ", "Reports", "RoadImport", "Roads",
                "Store", "Traces", "Webhooks", "Wire", argumentParser, logging, serviceLifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings, linkerSettings: runtimeIncluded),

        // Run by hand, and part of no product.
        .target(name: "CAllocationCount", path: "Tests/Benchmarks/CAllocationCount"),
        program(
            "engine-benchmark",
            ["CAllocationCount", "Evaluation", "Fleet", "Geo", "Hashing", "Messages", "RoadImport", "Roads"],
            path: "Tests/Benchmarks/Engine", linkerSettings: runtimeIncluded),
        program(
            "commit-benchmark",
            ["Messages", "MQTT", "PostgreSQLTestSupport", "Store"],
            path: "Tests/Benchmarks/Commits"),
        program(
            "cluster-benchmark",
            ["Broker", "Fleet", "Gateway", "MQTT", "RabbitMQ", "RabbitMQTestSupport", "Wire"],
            path: "Tests/Benchmarks/Cluster"),
        program(
            "hazard-benchmark",
            ["Clearances", "Fleet", "Geo", "Messages", "RoadImport", "Roads"],
            path: "Tests/Benchmarks/Hazards", linkerSettings: runtimeIncluded),
        program("fault-campaign", ["FaultCampaign", "PostgreSQLTestSupport", "Store"], path: "Tests/Campaign/Program"),
        target(
            "FaultCampaign",
            [
                "Broker", "CFaultyDisk", "Fleet", "FleetTestSupport", "Gateway", "GatewayTestSupport", "Geo", "Hashing",
                "Messages", "MQTT", "PostgreSQL", "PostgreSQLTestSupport", "RabbitMQ", "Roads", "Store", "Wire", deque,
                grdb, logging,
            ], path: "Tests/Campaign/Simulation"),
        .target(
            name: "CFaultyDisk", path: "Tests/Campaign/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),

        target(
            "FuzzedDecoders",
            [
                "Broker", "Clearances", "Console", "Fleet", "Gateway", "GatewayTestSupport", "Geo", "Hashing",
                "HeadroomConfiguration", "Messages", "MQTT", "RoadImport", "Roads", "Store", "Traces", "Wire",
                .product(name: "Hummingbird", package: "hummingbird"), logging,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Tests/Fuzzing/Decoders"),
        tests("FuzzedDecoderTests", ["FuzzedDecoders"]),

        // GEOS is the tests' second opinion on polygons.
        .systemLibrary(name: "CGEOS", path: "Tests/CGEOS", providers: [.apt(["libgeos-dev"])]),
        tests("RepositoryTests", []),
        tests("GeoTests", ["CGEOS", "Fleet", "Geo", "Hashing", "Messages"]),
        // What tests of several targets draw and compare with: much of it computes, too.
        target(
            "RoadsTestSupport", ["Clearances", "Geo", "Roads"], path: "Tests/RoadsTestSupport", settings: optimized),
        target(
            "FleetTestSupport",
            ["Clearances", "Fleet", "Geo", "Hashing", "Messages", "RoadImport", "Roads", "RoadsTestSupport"],
            path: "Tests/FleetTestSupport", settings: optimized),
        target(
            "GatewayTestSupport",
            ["Broker", "Fleet", "FleetTestSupport", "Gateway", "Geo", "Hashing", "Messages", "MQTT", "Store", "Wire"],
            path: "Tests/GatewayTestSupport"),
        tests("RoadsTests", ["Clearances", "Geo", "Hashing", "Roads", "RoadsTestSupport"]),
        tests(
            "RoadImportTests",
            ["Clearances", "Geo", "Hashing", "Messages", "RoadImport", "Roads", "RoadsTestSupport", "Wire"]),
        tests(
            "FleetTests",
            [
                "BinaryCoding", "Clearances", "Evaluation", "Fleet", "FleetTestSupport", "Geo", "Hashing", "Messages",
                "RoadImport", "Roads", "RoadsTestSupport",
            ]),
        tests(
            "EvaluationTests",
            [
                "Clearances", "Evaluation", "Fleet", "FleetTestSupport", "Geo", "Hashing", "Messages", "RoadImport",
                "Roads",
            ]),
        tests("WireTests", ["Clearances", "Fleet", "Geo", "Hashing", "Messages", "MQTT", "Roads", "Wire"]),
        target("PostgreSQLTestSupport", ["PostgreSQL", "Store"], path: "Tests/PostgreSQLTestSupport"),
        tests(
            "StoreTests",
            [
                "Fleet", "Geo", "Hashing", "Messages", "MQTT", "PostgreSQL", "PostgreSQLTestSupport", "Roads", "Store",
                "ThreadTestSupport", grdb,
            ]),
        target("ThreadTestSupport", path: "Tests/ThreadTestSupport"),
        tests("BrokerTests", ["Broker", "MQTT", "ThreadTestSupport"]),
        target("RabbitMQTestSupport", path: "Tests/RabbitMQTestSupport"),
        tests(
            "RabbitMQTests",
            [
                "Broker", "Fleet", "Gateway", "Messages", "MQTT", "RabbitMQ", "RabbitMQTestSupport",
                "ThreadTestSupport", "Wire",
            ]),
        tests(
            "HeadroomConfigurationTests",
            [
                "Broker", "Console", "Fleet", "Gateway", "Geo", "HeadroomConfiguration", "Messages", "MQTT", "Roads",
                "Wire", logging,
            ]),
        tests(
            "GatewayTests",
            [
                "Broker", "Clearances", "Cryptography", "Evaluation", "FaultCampaign", "Fleet", "FleetTestSupport",
                "Gateway", "GatewayTestSupport", "Geo", "Hashing", "Messages", "MQTT", "PostgreSQLTestSupport", "Roads",
                "RoadsTestSupport", "Store", "ThreadTestSupport", "Webhooks", "Wire", grdb, serviceLifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        tests("FaultCampaignTests", ["FaultCampaign", "PostgreSQLTestSupport", "Store"]),
        tests(
            "ConsoleTests",
            [
                "Broker", "Clearances", "Console", "Evaluation", "Fleet", "Gateway", "Geo", "Hashing", "Messages",
                "MQTT", "Reports", "RoadImport", "Roads", "Store", "Wire",
                .product(name: "HummingbirdTesting", package: "hummingbird"), yams,
            ]),
        tests(
            "EndToEnd",
            [
                "Broker", "Clearances", "Evaluation", "Fleet", "Geo", "headroom", "Messages", "MQTT",
                "PostgreSQLTestSupport", "RabbitMQTestSupport", "RoadImport", "Roads", "Store", "Wire", yams,
            ]),
    ],
    cxxLanguageStandard: .cxx17
)

// libFuzzer brings a main function of its own: linked without it, the program would have none.
if Context.environment["HEADROOM_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "decoder-fuzzer", dependencies: ["FuzzedDecoders"], path: "Tests/Fuzzing/Program",
            swiftSettings: settings))
}
