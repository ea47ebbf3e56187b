/** Labels of the map: names, emoji and speech bubbles, each painted once and kept. */

const KEPT_MAX = 3000;
const RATIO = 2; // pixels of a label for one CSS pixel
const FONT = "system-ui, sans-serif";
const EMOJI_FONT = '"Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", sans-serif';

/** @type {Map<string, {canvas: OffscreenCanvas, width: number, height: number}>} */
const kept = new Map();

function keep(key, width, height, paint) {
  let label = kept.get(key);
  if (label) return label;
  if (kept.size >= KEPT_MAX) kept.clear();
  const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(width * RATIO)), Math.max(1, Math.ceil(height * RATIO)));
  const pen = canvas.getContext("2d");
  pen.scale(RATIO, RATIO);
  paint(pen);
  label = { canvas, width, height };
  kept.set(key, label);
  return label;
}

const ruler = new OffscreenCanvas(1, 1).getContext("2d");

function widthOf(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** An emoji of 20 CSS pixels. */
export function emojiLabel(emoji) {
  return keep(`emoji ${emoji}`, 26, 26, (pen) => {
    pen.font = `19px ${EMOJI_FONT}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(emoji, 13, 14);
  });
}

/** A name on a small plate, on one line or on several. */
export function nameLabel(text, style) {
  const font = `${style.bold ? 600 : 500} ${style.size}px ${FONT}`;
  const lines = text.split("\n");
  const width = Math.max(...lines.map((line) => widthOf(line, font))) + style.size;
  const leading = style.size * 1.2;
  const height = style.size * 0.35 + leading * lines.length;
  return keep(`name ${JSON.stringify(style)} ${text}`, width, height, (pen) => {
    pen.fillStyle = style.back;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, style.size * 0.77);
    pen.fill();
    pen.font = font;
    pen.fillStyle = style.ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    lines.forEach((line, index) => pen.fillText(line, width / 2, style.size * 0.175 + leading * (index + 0.5) + 0.5));
  });
}

/** @returns {string} a name broken at the space nearest to its middle, or as it is if it has none */
export function inTwoLines(name) {
  const spaces = [...name].flatMap((letter, index) => (letter === " " ? [index] : []));
  if (!spaces.length) return name;
  const middle = spaces.reduce((best, each) => (Math.abs(each - name.length / 2) < Math.abs(best - name.length / 2) ? each : best));
  return `${name.slice(0, middle)}\n${name.slice(middle + 1)}`;
}

/** @returns {boolean} whether two rectangles of the screen share a point */
export function overlap(one, other) {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** Chooses places for labels, so that none covers another one. */
export class Layout {
  constructor() {
    /** @type {{x: number, y: number, width: number, height: number}[]} */
    this.taken = [];
  }

  /**
   * Take the first of some places that is free.
   * @template {{x: number, y: number, width: number, height: number}} Place
   * @param {Iterable<Place>} candidates the best first
   * @returns {Place | null} null if none is free
   */
  take(candidates) {
    for (const place of candidates) {
      if (this.taken.some((other) => overlap(place, other))) continue;
      this.taken.push(place);
      return place;
    }
    return null;
  }
}

/** Words in a bubble, broken into lines; the tail points down at its middle. */
export function bubbleLabel(text, dark) {
  return keepBubble(text, dark, `12.5px ${FONT}`);
}

function keepBubble(text, dark, font) {
  const lines = linesOf(text, font, 190, 4);
  const width = Math.max(...lines.map((line) => widthOf(line, font))) + 20;
  const height = lines.length * 16 + 14;
  return keep(`bubble ${dark} ${text}`, width, height + 7, (pen) => {
    pen.fillStyle = dark ? "#2a3038" : "#ffffff";
    pen.strokeStyle = dark ? "#59636f" : "#b9b2a3";
    pen.beginPath();
    pen.roundRect(0.5, 0.5, width - 1, height - 1, 9);
    pen.fill();
    pen.stroke();
    pen.beginPath();
    pen.moveTo(width / 2 - 6, height - 1.5);
    pen.lineTo(width / 2, height + 6);
    pen.lineTo(width / 2 + 6, height - 1.5);
    pen.fill();
    pen.fillStyle = dark ? "#f1eee8" : "#23262b";
    pen.font = font;
    pen.textBaseline = "middle";
    lines.forEach((line, index) => pen.fillText(line, 10, 15 + index * 16));
  });
}

function linesOf(text, font, width, most) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (widthOf(longer, font) <= width || !lines[lines.length - 1]) {
      lines[lines.length - 1] = longer;
    } else if (lines.length === most) {
      lines[most - 1] += " …";
      break;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
