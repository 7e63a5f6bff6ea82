import Foundation
import Testing

/// Two hours of driving in two minutes. Run it with HEADROOM_LONG_DRIVE=1.
struct CabLongDriveEndToEndTests {
    /// Sixty seconds of a drive pass in each second: clock, positions and what the gateway says are the test's.
    private static let accelerate = """
        return (async () => {
        const now = performance.now.bind(performance);
        const began = now();
        performance.now = () => began + 60 * (now() - began);
        navigator.geolocation.watchPosition = (take) => { window.take = take; return 1; };
        const real = window.fetch.bind(window);
        const answer = await (await real("/api/v1/cab", {headers: {
          Authorization: `Bearer ${JSON.parse(localStorage.getItem("headroom.cab")).token}`}})).json();
        const place = (second) => ({lat: 42.28 + 0.01 * Math.sin(second / 300), lon: -83.74 + 0.01 * Math.cos(second / 300)});
        const alertAt = (second) => {
          const stage = [null, "ahead", "detour", "stop"][Math.floor(second / 30) % 4];
          const bridge = {...place(second + 60), name: "Bridge", posted: `10'6"`, height: 3.2};
          const turn = {...place(second + 30), distance: 600, line: {type: "LineString",
            coordinates: Array.from({length: 40}, (_, index) => [place(second + index).lon, place(second + index).lat])}};
          return stage === null ? [] : [{id: `${Math.floor(second / 120)}`, sequence: 1, stage, attention: "alarm",
            distance: 1200, text_now: `Low bridge at ${second}`, clearance: bridge, detour: turn, side_road: false,
            acknowledged: null, now: {distance: 1200, detour_distance: 600}}];
        };
        window.second = 0;
        window.fetch = (path, options) => {
          if (String(path).endsWith("/cab/stream")) {
            return Promise.resolve(new Response(new ReadableStream({start(controller) {
              setInterval(() => {
                const data = JSON.stringify({...answer, alerts: alertAt(window.second)});
                controller.enqueue(new TextEncoder().encode(`event: cab\\ndata: ${data}\\n\\n`));
              }, 1000 / 60);
            }})));
          }
          if (options?.method === "POST") return Promise.resolve(new Response("{}"));
          return real(path, options);
        };
        dispatchEvent(new Event("offline"));
        setInterval(() => {
          window.second += 1;
          const {lat, lon} = place(window.second);
          window.take?.({timestamp: Date.now(), coords: {latitude: lat, longitude: lon, accuracy: 5, speed: 10,
            heading: window.second % 360, altitude: null}});
        }, 1000 / 60);
        })();
        """

    private func heap(after second: Int, _ browser: Browser) async throws -> Int {
        // Each call through the driver leaves an object in the page's heap: the page itself is not asked every few milliseconds.
        let passed = try #require(try await browser.run("return window.second") as? Int)
        try await Task.sleep(for: .seconds(Double(max(0, second - passed)) / 60))
        try await eventually(within: .seconds(300), "the drive does not go on") {
            try await Task.sleep(for: .seconds(1))
            return (try await browser.run("return window.second") as? Int ?? 0) >= second
        }
        _ = try await browser.command("HeapProfiler.collectGarbage", [:])
        let usage = try await browser.command("Runtime.getHeapUsage", [:]) as? [String: Any]
        return try #require(usage?["usedSize"] as? Int)
    }

    @Test(
        "Two hours of driving take at most a twentieth more memory than one",
        .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_LONG_DRIVE"] != nil), .timeLimit(.minutes(20)))
    func memory() async throws {
        let cab = try await CabScene()
        let browser = cab.scene.browser
        try await browser.run(Self.accelerate)
        try await browser.click("button.primary")
        try await cab.scene.until("h2", contains: "13'6\"")
        try await browser.click("button.primary")
        try await cab.scene.until("[data-stage] h2", contains: "STOP", within: .seconds(60))
        let heaps = [
            try await heap(after: 1_800, browser), try await heap(after: 3_600, browser),
            try await heap(after: 5_400, browser), try await heap(after: 7_200, browser),
        ]
        // Measured: 2 % more. Snapshots of the heap show none of the page's objects in it, but compiled code and the browser's
        // own lists of late frames and shifts of the layout, which it bounds.
        #expect(heaps[3] < heaps[1] + heaps[1] / 20, "bytes after each half hour: \(heaps)")
        print("bytes after each half hour: \(heaps)")
    }
}
