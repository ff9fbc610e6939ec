// The attention of the paraphraser, as threads between two lists of words.

import { element, percent } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const FAINTEST = 0.06;

export class Alignment {
  constructor(box, note) {
    this.box = box;
    this.note = note;
    this.threads = [];
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show({ source, target, attention }) {
    this.weights = attention;
    this.names = { source, target };
    this.source = source.map((word) => element("li", { class: "word" }, word));
    this.target = target.map((word, index) =>
      element("li", { class: "word", tabindex: index ? "-1" : "0" }, word),
    );
    this.svg = document.createElementNS(NAMESPACE, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    const words = (name, items, label) =>
      element("ul", { class: `words ${name}`, "aria-label": label }, ...items);
    this.box.replaceChildren(
      this.svg,
      words("source", this.source, "Your words"),
      words("target", this.target, "Canonical words"),
    );
    this.note.textContent = "";
    this.listen();
    this.draw();
  }

  listen() {
    this.target.forEach((word, index) => {
      word.setAttribute("aria-label", `${this.names.target[index]}, from ${this.origin(index)}`);
      word.addEventListener("pointerenter", () => this.highlight((_, t) => t === index, index));
      word.addEventListener("focus", () => this.highlight((_, t) => t === index, index));
      word.addEventListener("keydown", (event) => this.move(event, index));
      word.addEventListener("pointerleave", () => this.highlight());
      word.addEventListener("blur", () => this.highlight());
    });
    this.source.forEach((word, index) => {
      word.addEventListener("pointerenter", () => this.highlight((s) => s === index));
      word.addEventListener("pointerleave", () => this.highlight());
    });
  }

  move(event, index) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const next = this.target[index + (steps[event.key] ?? NaN)];
    if (!next) return;
    event.preventDefault();
    this.target[index].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  origin(index) {
    const ranked = this.weights[index]
      .map((weight, position) => ({ weight, word: this.names.source[position] }))
      .filter(({ weight }) => weight >= FAINTEST)
      .sort((one, other) => other.weight - one.weight)
      .slice(0, 4);
    if (!ranked.length) return "no word in particular";
    return ranked.map(({ weight, word }) => `${word} ${percent(weight)}`).join(", ");
  }

  highlight(chosen = null, index = null) {
    for (const { path, s, t } of this.threads) {
      path.classList.toggle("faded", chosen !== null && !chosen(s, t));
    }
    this.note.textContent =
      index === null ? "" : `${this.names.target[index]} ← ${this.origin(index)}`;
  }

  draw() {
    if (!this.svg || !this.box.isConnected) return;
    this.box.classList.remove("columns");
    const rows = [...this.box.querySelectorAll(".words")];
    const tooWide = rows.some((row) => row.scrollWidth > this.box.clientWidth + 1);
    this.box.classList.toggle("columns", tooWide);
    const frame = this.box.getBoundingClientRect();
    this.threads = [];
    this.weights.forEach((row, t) => {
      row.forEach((weight, s) => {
        if (weight < FAINTEST) return;
        const path = this.thread(this.source[s], this.target[t], frame, tooWide);
        path.setAttribute("stroke-width", (0.6 + 3.4 * weight).toFixed(2));
        path.setAttribute("stroke-opacity", (0.12 + 0.78 * weight).toFixed(2));
        this.threads.push({ path, s, t });
      });
    });
    this.svg.replaceChildren(...this.threads.map(({ path }) => path));
  }

  thread(from, to, frame, columns) {
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const path = document.createElementNS(NAMESPACE, "path");
    const [ax, ay] = columns
      ? [a.right - frame.left, a.top + a.height / 2 - frame.top]
      : [a.left + a.width / 2 - frame.left, a.bottom - frame.top];
    const [bx, by] = columns
      ? [b.left - frame.left, b.top + b.height / 2 - frame.top]
      : [b.left + b.width / 2 - frame.left, b.top - frame.top];
    const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
    const curve = columns ? `${mx} ${ay} ${mx} ${by}` : `${ax} ${my} ${bx} ${my}`;
    path.setAttribute("d", `M ${ax} ${ay} C ${curve} ${bx} ${by}`);
    return path;
  }
}
