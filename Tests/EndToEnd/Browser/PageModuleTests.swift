import Testing

/// Single modules of the pages, in the browser, with objects of the test round them.
@Suite(.serialized)
struct PageModuleEndToEndTests {
    private func result(_ script: String) async throws -> Any? {
        let scene = try await ConsoleScene(roads: false)
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)/cab")
        let result = try await scene.browser.runAsync(script)
        try await scene.end()
        return result
    }

    @Test(
        "Beside the last turn-off the distance to it does not jump, and behind it the page says STOP",
        .timeLimit(.minutes(3)))
    func approach() async throws {
        // Of each: what the gateway said last, and metres past the turn-off at that time; 40 m past it the last fix comes.
        let script = """
            import("/cab/approach.js").then(({Approach}) => {
              const turnOff = {lat: 42.280564, lon: -83.7508};
              const alert = {stage: "detour", attention: "alarm", side_road: false, distance: 390,
                clearance: {lat: 42.280597, lon: -83.751891, verdict: "too-low", posted: "10'6\\""},
                detour: {...turnOff, distance: 300, turn_onto: "S 1st Street",
                  line: {type: "LineString", coordinates: [[-83.7508, 42.280564], [-83.7508, 42.281564]]}}};
              const fix = (metres) => ({lat: 42.280564, lon: -83.7508 - metres / 82274, accuracy: 5, speed: 10, course: 270, time: ""});
              const drive = (now, start) => {
                const approach = new Approach({...alert, now}, fix(start));
                const distances = [approach.detourDistance];
                for (let metres = start + 10; metres <= 40; metres += 10) {
                  approach.move(fix(metres));
                  distances.push(approach.detourDistance);
                }
                return `${approach.stage} ${Math.round(Math.max(...distances))}`;
              };
              done([
                drive({time: "", distance: 90, detour_distance: 0}, 0), drive({time: "", distance: 95, detour_distance: 15}, 0),
                drive({time: "", distance: 80, detour_distance: null}, 8), drive({time: "", distance: 290, detour_distance: 200}, -200),
              ]);
            }, (error) => done([String(error)]));
            """
        #expect(try await result(script) as? [String] == ["stop 20", "stop 35", "stop 18", "stop 200"])
    }

    @Test(
        "The line at the top says how many retained messages the broker has lost, with all of it in its tooltip",
        .timeLimit(.minutes(3)))
    func connectionStatus() async throws {
        let script = """
            Promise.all([import("/assets/common/connection-status.js"), import("/assets/common/event-emitter.js")]).then(
              ([{ConnectionStatus}, {EventEmitter}]) => {
                const [line, banner] = [document.createElement("p"), document.createElement("p")];
                const stream = Object.assign(new EventEmitter(), {state: "live"});
                const status = Object.assign(new EventEmitter(), {value: null});
                new ConnectionStatus(line, banner, stream, status);
                const show = (retained_missing, degraded) => {
                  status.value = {broker_connected: true, ready: true, problems: [], retained_missing, degraded};
                  status.emit("change");
                  return `${line.textContent} (${line.title}) ${banner.hidden}`;
                };
                done([show(0, []), show(7, ["the broker has lost 7"]), show(0, ["no wildcards"])]);
              }, (error) => done([String(error)]));
            """
        let expected = [
            "Live () true", "Live; the broker has lost 7 retained messages (the broker has lost 7) true",
            "Live; the broker has limits (no wildcards) true",
        ]
        #expect(try await result(script) as? [String] == expected)
    }

    @Test(
        "Of many open alerts one that no message ends goes, one that has ended stays ended, and an end that was missed is found",
        .timeLimit(.minutes(3)))
    func openAlerts() async throws {
        let script = """
            Promise.all([import("/assets/fleet/open-alerts.js"), import("/assets/common/event-emitter.js")]).then(
              async ([{OpenAlerts}, {EventEmitter}]) => {
                const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
                const message = (id, sequence, stage) => ({type: "low-clearance", id, sequence, stage, vehicle: `truck of ${id}`,
                  attention: "alarm", side_road: false, distance: 500, eta: 30, text: "", detour: null, time: "", now: null});
                const answer = (id) => ({...message(id, 1, "ahead"), acknowledged: null, text_now: ""});
                const row = (id) => ({id, sequence: 1, distance: 500, detour_distance: null, eta: 30, acknowledged: null, text: ""});
                const known = Array.from({length: 250}, (_, index) => `a${String(index).padStart(3, "0")}`);
                let open = known;
                const history = new Map();
                const client = {
                  getAll: async () => ({items: open.map(answer), isComplete: true}),
                  get: async (path, {vehicle}) => ({items: history.get(vehicle) ?? []}),
                };
                const stream = new EventEmitter();
                stream.onGap = (listener) => stream.on("gap", listener);
                const alerts = new OpenAlerts(client, stream, {system: "imperial"});
                const tell = () => stream.emit("alerts", {count: open.length, open: open.slice(0, 200).map(row)});
                const has = (id) => alerts.open.some(({message}) => message.id === id);
                const seen = [];

                stream.emit("gap");
                await pause(0.5);
                seen.push(`${alerts.count} loaded`);
                open = known.slice(1);
                tell();
                await pause(2.2);
                tell();
                await pause(0.5);
                seen.push(`withdrawn: ${has("a000")}`);

                stream.emit("alert", message("a001", 3, "cleared"));
                stream.emit("alert", message("a001", 2, "detour"));
                seen.push(`after its end: ${has("a001")}`);

                history.set("truck of a002", [message("a002", 2, "passed"), message("a002", 1, "ahead")]);
                open = known.slice(3);
                stream.emit("gap");
                await pause(0.5);
                seen.push(...alerts.ended.map(({id, stage}) => `${id} ${stage}`));
                done(seen);
              }).catch((error) => done([String(error)]));
            """
        #expect(
            try await result(script) as? [String] == [
                "250 loaded", "withdrawn: false", "after its end: false", "a002 passed", "a001 cleared",
            ])
    }

    @Test(
        "A tap acknowledges the alarm that is shown, alone, and shows the next but over STOP; a second one at once does nothing",
        .timeLimit(.minutes(3)))
    func tap() async throws {
        let script = """
            Promise.all([import("/cab/drive-screen.js"), import("/assets/common/units.js")]).then(
              async ([{DriveScreen}, {Units}]) => {
                const hazard = (id, stage) => ({stage, distance: 300, detourDistance: null, isOwn: false, alert: {id, sequence: 1,
                  stage, attention: "alarm", text_now: id, detour: null, clearance: {lat: 42, lon: -83, name: id, posted: "10'6\\""}}});
                const acknowledged = [];
                const hazards = {alarms: [hazard("first", "detour"), hazard("second", "ahead")], notices: [], left: [], lag: 0};
                const screen = new DriveScreen({
                  connection: {last: null, isConnected: true, silence: 0, isAcknowledged: ({id}) => acknowledged.includes(id),
                    acknowledge: ({id}) => acknowledged.push(id)},
                  hazards, positions: {last: null, age: 0, isRefused: false, error: 0}, roads: {on() {}},
                  screenLock: {isHeld: true}, sender: {delay: 0}, units: new Units(null),
                  texts: {language: "en", text: (key) => key}, onStopSharing() {},
                });
                const seen = [];
                const look = () => seen.push(`${screen.element.querySelector("[aria-live]").textContent}: ${acknowledged}`);
                look();
                screen.element.click();
                screen.element.click();
                look();
                const tap = async () => {
                  await new Promise((resolve) => { setTimeout(resolve, 1000); });
                  screen.element.click();
                  look();
                };
                await tap();
                hazards.alarms = [hazard("third", "stop"), hazard("fourth", "ahead")];
                await tap();
                done(seen);
              }).catch((error) => done([String(error)]));
            """
        #expect(
            try await result(script) as? [String] == [
                "first: ", "second: first", "first: first,second", "third: first,second,third",
            ])
    }
}
