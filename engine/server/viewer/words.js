// An event as a sentence: who, how, and what; or nothing, where it is no part of the story.

const names = (list) => list.join(", ");

const BECOMING = { asleep: "is asleep", awake: "wakes", deaf: "is deaf", hearing: "can hear again", blind: "is blind", seeing: "can see again", invisible: "cannot be seen", visible: "can be seen again" };

/** An amount of money: cents at least, and of less than a cent two digits that say something. */
export const dollars = (amount) => (amount === null ? "unknown" : `$${amount && amount < 0.01 ? Number(amount.toPrecision(2)) : amount.toFixed(2)}`);

export function sentence(event, place) {
  const { body, actor } = event;
  const here = !event.place || event.place === place ? "" : ` ${event.place}`;
  switch (body.kind) {
    case "episode.acted": return acted(event);
    case "episode.narrated": return { text: body.text, style: "deed" };
    case "episode.entered":
      return { who: actor, text: body.how ?? (here ? `comes to${here}` : "comes in") + (body.hidden ? ", unseen" : ""), style: "deed" };
    case "episode.left": return { who: actor, text: body.how ?? `leaves${here}`, style: "deed" };
    case "episode.seen": return { who: actor, text: `says something${body.to ? ` to ${names(body.to)}` : ""}, unheard`, style: "deed" };
    case "episode.became": return { who: actor, text: body.by ? `is woken by ${body.by}` : BECOMING[body.state], style: "deed" };
    case "knowledge.amended": return { text: `as a person says: ${[body.heard && `${names(body.heard)} heard it`, body.unheard && `${names(body.unheard)} did not hear it`].filter(Boolean).join(", ")} (${body.why})`, style: "thought" };
    case "episode.goal": return { who: `${body.owner}'s goal`, text: body.goal.split("\n")[0], style: "thought", colon: true };
    case "episode.closed": return { text: body.reason ? `The episode ends: ${body.reason}.` : "The episode ends.", style: "thought" };
    case "mind.remembered": return { who: `${body.owner} remembers (${body.strategy})`, text: body.text, style: "thought", colon: true };
    case "life.traced": return { who: `${actor ?? ""} (${body.medium})`, text: body.text, colon: true };
    case "life.felt": return { who: actor, text: [body.emotion, body.focus].filter(Boolean).join(". "), style: "thought", colon: true };
    case "machinery.failed": return { text: `${actor ? `${actor}'s ` : ""}${body.what} failed: ${body.error}`, style: "failed" };
    case "machinery.called": return body.error ? { text: `${actor}'s call failed: ${body.error}`, style: "failed" } : null;
    case "exam.probed": return { who: `${body.character} is asked at #${body.upto}`, text: body.question, style: "thought", colon: true };
    case "exam.answered": return { who: actor ? `${actor} answers` : "The answer", text: body.text, style: "thought", colon: true };
    case "exam.reviewed": return { who: `${body.judge}${event.actor ? ` of ${event.actor}` : ""}`, text: Object.entries(body.scores).map(([name, score]) => `${name} ${Math.round(score * 100) / 100}`).join(", "), colon: true };
    case "world.mark": return { text: `marked: “${body.name}”${body.upto ? ` at #${body.upto}` : ""}`, style: "thought" };
    default: return null;
  }
}

/** Any event in words, also where it is no part of the story. */
export function mentioned(event) {
  const { body, actor } = event;
  const whose = actor ? `${actor}'s` : "a";
  switch (body.kind) {
    case "world.opened": return { text: `The world begins${body.title ? `: ${body.title}` : ""}.` };
    case "world.forked": return { text: `From here on it is another story than ${body.parent}.` };
    case "world.character": return { who: body.name, text: body.description || "is one of the people here", colon: Boolean(body.description) };
    case "world.described": return { who: `What is known of ${body.name}`, text: body.text, colon: true };
    case "world.relation": return { who: body.of, text: `to ${body.to}: ${body.relation}` };
    case "world.place": return { who: `A place, ${body.name}`, text: body.description ?? "", colon: Boolean(body.description) };
    case "episode.opened": return { text: `The episode begins: ${body.scenario}` };
    case "episode.resumed": return { text: "The episode goes on." };
    case "life.evidence": return { who: "Evidence", text: body.claim, colon: true };
    case "knowledge.doubted": return { text: `Left open whether ${[body.who, ...(body.also ?? [])].join(", ")} witnessed it: ${body.reason}` };
    case "knowledge.telling": return { text: `It was found that #${body.fact} is told of.` };
    case "knowledge.sought": return { text: "Tellings were looked for." };
    case "machinery.called": return sentence(event) ?? { text: `${whose} model was asked to ${body.purpose}.` };
    case "machinery.planned": return { text: "A plan for playing it was written down." };
    case "machinery.refused": return { text: `${whose} line was not said: it gave away too much.` };
    default: return sentence(event) ?? { text: `noted beside the story (${body.kind.replace(".", ", ")})` };
  }
}

function acted({ actor, body, witnesses = [] }) {
  const { text = "", act = "speak", to = [], also = [] } = body;
  const offer = body.offer ? ` [offers: ${Object.entries(body.offer).map(([who, share]) => `${who} ${Object.entries(share).map(([item, count]) => `${count} ${item}`).join(", ")}`).join("; ")}]` : "";
  const agrees = body.agrees ? " [agrees to the offer]" : "";
  const who = names([actor, ...also]);
  if (act === "none") return { who: text ? `${who} thinks` : who, text: text || "does nothing", style: "thought", colon: Boolean(text) };
  if (act === "leave" && text) return { who: `${who} makes to leave`, text: text + offer + agrees, colon: true };
  if (act !== "speak") return { who, text: (text || "makes to leave") + offer + agrees, style: "deed" };
  if (to.length === 1 && to[0] === actor) return { who: `${who} aside`, text: text + offer + agrees, colon: true };
  const secret = witnesses.every((one) => one === actor || to.includes(one));
  const whom = to.length ? (secret ? ` whispers to ${names(to)}` : ` to ${names(to)}`) : "";
  return { who: who + whom, text: text + offer + agrees, colon: true };
}

/** How something was said that not everybody there heard, in a word; nothing, where it was said openly. */
export function manner({ actor, body, witnesses = [] }) {
  if (body.kind !== "episode.acted") return null;
  const { act = "speak", to = [] } = body;
  if (act === "none") return body.text ? "thought" : null;
  if (act !== "speak" || !to.length) return null;
  if (to.length === 1 && to[0] === actor) return "aside";
  return witnesses.every((one) => one === actor || to.includes(one)) ? "whisper" : null;
}

export const clock = (at) => at.slice(11, 16);
export const day = (at) => new Date(`${at.slice(0, 10)}T12:00:00`).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });
export const counted = (count, noun) => `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
