// Ask, show, mark.

import { Alignment } from "./alignment.js";
import * as api from "./api.js";
import { byId, element, percent } from "./dom.js";
import * as results from "./results.js";

const alignment = new Alignment(byId("alignment"), byId("alignment-note"));
const OFFERED = "offered ";
let asked = 0; // counts questions: an answer that was overtaken is dropped
let parse = null;
let current = 0;
let own = null; // what was meant, as the second stage reads it

async function start() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask(byId("question").value);
  });
  byId("right").addEventListener("click", () => save(parse.utterance, [["right", shown()]]));
  byId("wrong").addEventListener("click", toggleCorrection);
  byId("anyway").addEventListener("click", showAnyway);
  byId("correction").addEventListener("submit", correct);
  byId("own").addEventListener("input", () => {
    byId("correction").elements.meant.value = "own";
  });
  byId("own").addEventListener("change", readOwn);
  window.addEventListener("popstate", askFromAddress);
  try {
    const found = await api.info();
    byId("domain").textContent = found.domain;
    document.title = `Ask about ${found.domain}`;
    showExamples(found.examples);
    byId("logged").hidden = !found.logged;
    byId("known").append(...found.canonical.map((text) => element("option", { value: text })));
  } catch (error) {
    report(error);
  }
  askFromAddress();
}

function askFromAddress() {
  const question = new URLSearchParams(location.search).get("q");
  if (question) ask(question, false);
}

function showExamples(examples) {
  byId("examples").hidden = !examples.length;
  byId("examples")
    .querySelector("ul")
    .replaceChildren(...examples.map(question));
}

function question(text) {
  const button = element("button", { type: "button" }, text);
  button.addEventListener("click", () => ask(text));
  return element("li", {}, button);
}

async function ask(question, remember = true) {
  if (!question.trim()) return;
  const turn = ++asked;
  byId("question").value = question;
  document.body.classList.add("waiting");
  try {
    const found = await api.parse(question);
    if (turn !== asked) return;
    if (remember) history.pushState(null, "", `?q=${encodeURIComponent(question)}`);
    parse = found;
    show(0);
    tell(
      parse.understood
        ? `Answer: ${results.brief(shown())}. Understood as: ${shown().canonical}.`
        : `Not understood: ${parse.refused_because}.`,
    );
  } catch (error) {
    if (turn === asked) report(error);
  } finally {
    if (turn === asked) document.body.classList.remove("waiting");
  }
}

const shown = () => parse.readings[current];

function say(text, isError = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("error", isError);
  byId("status").classList.remove("unseen");
}

// What the page shows anyway: for those who hear it.
function tell(text) {
  say(text);
  byId("status").classList.add("unseen");
}

const report = (error) => say(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`, true);

function* noted({ unknown_words, unseen_names, corrected_names, similar_names }) {
  if (unknown_words.length) yield `Words that the domain does not have: ${unknown_words.join(", ")}.`;
  for (const [name, place] of Object.entries(unseen_names))
    yield `No question here has a ${place}, as ${name} would be.`;
  for (const [typed, name] of Object.entries(corrected_names)) yield `“${typed}” was read as ${name}.`;
  for (const [typed, names] of Object.entries(similar_names))
    yield `“${typed}” could be ${names.join(", ")}.`;
}

// Whether the first reading is to be believed; another one was chosen by the person.
function showVerdict(isFirst) {
  const refused = isFirst && !parse.understood;
  byId("refusal").hidden = !refused;
  byId("result").classList.toggle("refused", refused);
  byId("anyway").setAttribute("aria-expanded", "false");
  byId("refused-because").textContent = parse.refused_because ?? "";
  byId("suggested").hidden = !parse.suggestions.length;
  byId("suggested").querySelector("ul").replaceChildren(...parse.suggestions.map(question));
  const sure = isFirst && parse.confidence !== null;
  byId("sureness").hidden = !sure;
  if (sure) byId("sureness").textContent = `right with a probability of ${percent(parse.confidence)}`;
}

function showAnyway() {
  byId("result").classList.remove("refused");
  byId("anyway").setAttribute("aria-expanded", "true");
}

function show(rank) {
  current = rank;
  const reading = shown();
  byId("result").hidden = false;
  showVerdict(rank === 0);
  document.body.classList.add("answered");
  byId("canonical").textContent = reading.canonical;
  const notes = [...noted(parse)].join(" ");
  byId("unknown").hidden = !notes;
  byId("unknown").textContent = notes;
  byId("answer").replaceChildren(results.answer(reading, reading.table && (() => more(reading))));
  const rewritten = results.rewritten(reading);
  byId("rewriting").hidden = !rewritten;
  byId("others").classList.toggle("wide", !rewritten);
  alignment.show(reading.explanation);
  byId("tree").replaceChildren(results.tree(reading.explanation.tree));
  byId("form").textContent = reading.logical_form;
  byId("query").hidden = !reading.sql;
  byId("sql").textContent = reading.sql ?? "";
  byId("readings").replaceChildren(
    ...results.readings(parse.readings, parse.confidence, rank, (chosen) => {
      show(chosen);
      tell(`Answer: ${results.brief(shown())}. Understood as: ${shown().canonical}.`);
      byId("readings").children[chosen].firstChild.focus();
    }),
  );
  closeCorrection();
  byId("saved").textContent = "";
}

// The next rows of a database's table, below those that are there.
async function more(reading) {
  const table = reading.explanation.table;
  try {
    const next = await api.rows(reading.logical_form, table.rows.length);
    table.rows.push(...next.rows);
    table.total = next.total;
    byId("answer").replaceChildren(results.answer(reading, () => more(reading)));
  } catch (error) {
    report(error);
  }
}

// ---------------------------------------------------------------- right and wrong

function closeCorrection() {
  byId("correction").hidden = true;
  byId("wrong").setAttribute("aria-expanded", "false");
}

function toggleCorrection() {
  if (!byId("correction").hidden) return closeCorrection();
  const others = parse.readings
    .map((reading, rank) => ({ reading, rank }))
    .filter(({ rank }) => rank !== current)
    .map(({ reading, rank }) =>
      element(
        "label",
        { class: "choice" },
        element("input", { type: "radio", name: "meant", value: String(rank) }),
        element("span", {}, reading.canonical, element("small", {}, results.brief(reading))),
      ),
    );
  const offered = parse.suggestions
    .filter((text) => !parse.readings.some((reading) => reading.canonical === text))
    .map((text) =>
      element(
        "label",
        { class: "choice" },
        element("input", { type: "radio", name: "meant", value: OFFERED + text }),
        element("span", {}, text),
      ),
    );
  byId("choices").replaceChildren(...others, ...offered);
  byId("correction").reset();
  byId("own-answer").textContent = "";
  own = null;
  byId("correction").hidden = false;
  byId("wrong").setAttribute("aria-expanded", "true");
  byId("correction").querySelector("input").focus();
}

async function readOwn() {
  const text = byId("own").value;
  own = null;
  byId("own-answer").textContent = "";
  if (!text.trim()) return;
  try {
    const found = await api.read(text, parse.utterance);
    if (text !== byId("own").value) return;
    own = found.readings[0];
    const answer = own.values.join(", ") || "nothing";
    byId("own-answer").textContent = `Answer: ${own.error ? "none" : answer}`;
  } catch (error) {
    byId("own-answer").textContent = error.message;
  }
}

// One of the questions that were offered, as the second stage reads it.
async function readMeant(text, question) {
  try {
    return (await api.read(text, question)).readings[0];
  } catch (error) {
    byId("saved").textContent = `Not saved: ${error.message}.`;
    return null;
  }
}

async function correct(event) {
  event.preventDefault();
  const meant = byId("correction").elements.meant.value;
  const question = parse.utterance; // another one may be answered meanwhile
  const marks = [["wrong", shown()]];
  if (meant.startsWith(OFFERED)) {
    const found = await readMeant(meant.slice(OFFERED.length), question);
    if (!found) return;
    marks.push(["right", found]);
  } else if (meant === "own") {
    if (!own) await readOwn();
    if (!own) return byId("own").focus();
    marks.push(["right", own]);
  } else if (meant !== "none" && meant !== "") {
    marks.push(["right", parse.readings[Number(meant)]]);
  }
  save(question, marks);
}

async function save(question, marks) {
  try {
    let last;
    for (const [verdict, reading] of marks) last = await api.mark(verdict, question, reading);
    closeCorrection();
    byId("saved").textContent = `Saved to ${last.saved}. Thank you.`;
    byId("question").focus();
  } catch (error) {
    byId("saved").textContent = `Not saved: ${error.message}.`;
  }
}

start();
