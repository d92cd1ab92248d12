// How a player is told that it is their turn: in the title, by a sound, by a notification; each can be off.

import { el, plain } from "./dom.js";

const KEY = "whoknew-alerts";
const WAYS = { title: "in the title of this tab", sound: "by a sound", notification: "by a notification" };
const SIGN = "● ";

function wanted() {
  try {
    return { title: true, sound: false, notification: false, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { title: true, sound: false, notification: false };
  }
}

let sounds = null;
let shown = null;

/** It is somebody's turn. */
export function turn(who, where) {
  const ways = wanted();
  over();
  if (ways.title) document.title = plain(`${SIGN}Your turn, ${who} - ${bare()}`);
  if (ways.sound) sound();
  if (ways.notification && document.hidden && "Notification" in window && Notification.permission === "granted") {
    try {
      shown = new Notification(plain(`It is your turn, ${who}`), { body: plain(where), tag: KEY });
      shown.onclick = () => { focus(); shown?.close(); };
    } catch {
      shown = null; // some phones let none but a worker notify
    }
  }
}

/** It is not any more. */
export function over() {
  document.title = bare();
  shown?.close();
  shown = null;
}

const bare = () => (document.title.startsWith(SIGN) ? document.title.slice(document.title.indexOf(" - ") + 3) : document.title);

/** Two short tones. A browser lets none be heard before the page was touched. */
function sound() {
  if (!("AudioContext" in window)) return;
  sounds ??= new AudioContext();
  sounds.resume().then(() => {
    for (const [at, pitch] of [[0, 660], [0.18, 880]]) {
      const tone = new OscillatorNode(sounds, { frequency: pitch });
      const loud = new GainNode(sounds, { gain: 0.15 });
      tone.connect(loud).connect(sounds.destination);
      tone.start(sounds.currentTime + at);
      tone.stop(sounds.currentTime + at + 0.14);
    }
  }).catch(() => {});
}

/** Where a player says how it wants to be told. */
export function choices() {
  const told = el("p", { class: "soft", role: "status" });
  const box = (way) => el("label", { class: "row" },
    el("input", { type: "checkbox", name: way, checked: wanted()[way], onchange: (event) => choose(way, event.target, told) }), WAYS[way]);
  return el("details", {}, el("summary", {}, "Tell me when it is my turn"), Object.keys(WAYS).map(box), told);
}

async function choose(way, input, told) {
  told.textContent = "";
  if (way === "sound" && input.checked) sound();
  if (way === "notification" && input.checked && !(await allowed())) {
    input.checked = false;
    told.textContent = "This browser lets this page notify nobody: it may be set so, or the page needs https.";
  }
  localStorage.setItem(KEY, JSON.stringify({ ...wanted(), [way]: input.checked }));
}

async function allowed() {
  if (!("Notification" in window) || !isSecureContext) return false;
  return (await Notification.requestPermission()) === "granted";
}
