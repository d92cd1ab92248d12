// Episodes as bands, on a canvas, so that thousands of them cost no more than ten: behind the picture until
// there is one, and below it, where it shows a part of the story.

const HIGH = 12; // of the marks that have a name

/** Where the story begins: what sets it up takes no room. */
export const begins = ({ episodes }) => (episodes[0]?.number === 1 ? episodes[0].first - 1 : 0);

/** What is drawn on: as fine as the screen is. */
function sheet(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = width * ratio;
  if (canvas.height !== Math.round(height * ratio)) canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  return { pen, width, height, colour: (name) => style.getPropertyValue(name).trim() };
}

/** Where on the sheet a seq is: at its edges, what is beyond them. */
const scale = ([after, upto], { left, right }) => (seq) => left + ((right - left) * Math.max(0, Math.min(upto - after, seq - after))) / Math.max(1, upto - after);

function painted({ pen, colour }, store, span, box) {
  const { left, right, top, bottom } = box;
  const x = scale(span, box);
  const [band, other, ink] = [colour("--band"), colour("--band-alt"), colour("--ink")];
  pen.font = "11px system-ui, sans-serif";
  for (const one of store.facts.episodes) {
    const [from, to] = [x(one.first - 1), x(one.last ?? store.head)];
    if (to <= left || from >= right) continue;
    pen.fillStyle = one.number % 2 ? band : other;
    pen.fillRect(from, top, Math.max(1, to - from), bottom - top);
    if (to - from > 26 && bottom - top > HIGH) {
      pen.fillStyle = ink;
      pen.fillText(`E${one.number}`, from + 4, top + 14);
    }
  }
}

/** The bands, while there is no picture; and above either the moments that have a name. */
export function bands(canvas, store, span, box, alone) {
  const on = sheet(canvas);
  if (!on.width) return;
  if (alone) painted(on, store, span, box);
  const x = scale(span, box);
  on.pen.fillStyle = on.colour("--told");
  for (const { cursor } of store.facts.marks) if (cursor > span[0] && cursor <= span[1]) on.pen.fillRect(x(cursor) - 1, 0, 2, HIGH);
}

/** The whole story in little room, with the part of it that is seen; nothing where all is. */
export function overview(canvas, store, all, span) {
  canvas.hidden = !span;
  if (!span) return;
  const on = sheet(canvas);
  const { pen, width, height } = on;
  const box = { left: 0, right: width, top: 3, bottom: height - 3 };
  painted(on, store, all, box);
  const x = scale(all, box);
  const [from, to] = span.map(x);
  pen.strokeStyle = on.colour("--accent");
  pen.lineWidth = 2;
  pen.strokeRect(from + 1, 1, Math.max(6, to - from - 2), height - 2);
  pen.fillStyle = on.colour("--cursor");
  pen.fillRect(x(store.cursor) - 1, 0, 2, height);
}
