// Answer, logical form and readings, drawn from the API's records.

import { element, percent } from "./dom.js";

export function brief(reading) {
  if (reading.error) return "no answer";
  const table = reading.explanation?.table;
  if (!table) return reading.values.join(", ") || "nothing";
  if (!table.total) return "nothing";
  const names = table.rows.slice(0, 3).map((row) => row[0]).join(", ");
  return table.total > 3 ? `${table.total}: ${names}, …` : names;
}

export function answer({ error, explanation: { table } }, more) {
  if (error) {
    const reason = element("small", {}, error);
    return element("p", { class: "no-answer" }, "This reading has no answer.", reason);
  }
  if (!table.total) return element("p", { class: "no-answer" }, "Nothing fits.");
  const head = table.columns.map((name) => element("th", { scope: "col" }, name));
  const rows = table.rows.map(([first, ...rest]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, first),
      ...rest.map((text) => element("td", text.length > 40 ? { class: "long" } : {}, text)),
    ),
  );
  const single = table.total === 1 && table.columns.length === 1;
  const shown = table.rows.length < table.total ? `, the first ${table.rows.length} shown` : "";
  const count = table.total === 1 ? "1 value" : `${table.total} values${shown}`;
  const box = element(
    "div",
    { class: "table-box scroll", tabindex: "0", role: "region", "aria-label": "Answer" },
    element(
      "table",
      single ? { class: "single" } : {},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    ),
  );
  const said = [count, table.note].filter(Boolean).join("; ");
  const parts = [element("p", { class: "hint" }, said), box];
  if (more && table.rows.length < table.total) {
    const button = element("button", { type: "button", class: "more" }, "More rows");
    button.addEventListener("click", more);
    parts.push(button);
  }
  return element("div", {}, ...parts);
}

export function tree(root) {
  return element("ul", {}, item(root));
}

function item(node) {
  const calls = node.parts.filter((part) => part.parts.length);
  if (!calls.length) return element("li", {}, line(node));
  const summary = element("summary", {}, line(node));
  return element(
    "li",
    {},
    element("details", { open: true }, summary, element("ul", {}, ...calls.map(item))),
  );
}

function line(node) {
  const parts = node.parts.map((part) =>
    part.parts.length
      ? element("span", { class: "slot", title: "the part below" }, "◦")
      : element("span", { class: "constant" }, part.label),
  );
  const value = node.value ? [element("span", { class: "value" }, node.value)] : [];
  const name = element("span", { class: node.parts.length ? "function" : "constant" }, node.label);
  return element("span", { class: node.failed ? "node failed" : "node" }, name, ...parts, ...value);
}

// Without a paraphraser nothing attends to words.
export const rewritten = ({ explanation }) => explanation.attention.flat().some(Boolean);

export function readings(found, confidence, current, choose) {
  return found.map((reading, rank) => {
    const sure = rank === 0 ? confidence : null;
    const bar = { min: "0", max: "1", value: String(sure), "aria-hidden": "true" };
    const button = element(
      "button",
      { type: "button", "aria-current": String(rank === current) },
      element(
        "span",
        { class: "score" },
        ...(sure === null ? [] : [element("meter", bar), percent(sure)]),
      ),
      element("span", { class: "canonical" }, reading.canonical),
      element("span", { class: reading.error ? "brief failed" : "brief" }, brief(reading)),
    );
    button.addEventListener("click", () => choose(rank));
    return element("li", {}, button);
  });
}
