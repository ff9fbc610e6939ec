// The HTTP API of this server.

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer; is it still running?");
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(content.error ?? `the server answered ${response.status}`);
  return content;
}

function post(path, body) {
  return call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

export const info = () => call("/api/info");
export const parse = (utterance) => post("/api/parse", { utterance, n_best: 5 });
export const read = (canonical, utterance) => post("/api/read", { canonical, utterance });
export const mark = (verdict, utterance, reading) =>
  post("/api/marks", {
    verdict,
    utterance,
    canonical: reading.canonical,
    logical_form: reading.logical_form_tokens,
  });
export const rows = (logical_form, skip) => post("/api/rows", { logical_form, skip });
