import { say } from "./element.js";

/** Tells people who hear the page of each alert that has become worse; `stop` interrupts what is being read. */
export function announce({ alerts, sound }) {
  const polite = document.getElementById("polite");
  const assertive = document.getElementById("assertive");
  alerts.on("news", ({ vehicle, stage, text }) => {
    say(stage === "stop" ? assertive : polite, `${vehicle}, ${stage}: ${text}`);
    if (stage === "stop") sound.play();
  });
}
