import Testing

/// What is wrong in the environment is said by the variable's name.
struct EnvironmentProblemsTests {
    @Test(arguments: [
        (
            ["HEADROOM_ALERTS_DISTANSE": "1"],
            "HEADROOM_ALERTS_DISTANSE: unknown variable; did you mean HEADROOM_ALERTS_DISTANCE?"
        ),
        (
            ["HEADROOM_COLOUR": "red"],
            "HEADROOM_COLOUR: unknown variable; a variable is named after a key, such as HEADROOM_BROKER_URL"
        ),
        (["HEADROOM_PORT": "8080"], "HEADROOM_PORT: unknown variable; a variable is named after a key"),
        (
            ["HEADROOM_FLEET_QOS": "3"],
            "HEADROOM_FLEET_QOS: fleet.qos: expected a whole number from 0 to 2, got \"3\""
        ),
        (
            ["HEADROOM_LOG_LEVEL": ""],
            """
            HEADROOM_LOG_LEVEL: log.level: expected trace, debug, info, notice, warning, error or critical, \
            got nothing
            """
        ),
        (["HEADROOM_ROADS": "a,,b"], "HEADROOM_ROADS: roads[1]: expected the name of a file, got nothing"),
        (["HEADROOM_FLEET_INPUTS": "[{"], "HEADROOM_FLEET_INPUTS: this is not YAML: "),
        (
            ["HEADROOM_FLEET_INPUTS": "[{layout: traccar}]"],
            "HEADROOM_FLEET_INPUTS: fleet.inputs[0].topic: expected a topic"
        ),
    ])
    func aBadVariableIsRefusedByName(environment: [String: String], message: String) throws {
        #expect(try SettingsFolder().problems("", environment: environment).hasPrefix(message))
    }
}
