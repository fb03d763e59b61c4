// One way to talk to the server: JSON in, JSON out, and an error that carries the server's sentence.

const PATIENCE = 20_000; // milliseconds

/** Which assessment and whose page this is. The server refuses to change anything for a page of another one. */
const PAGE = Object.fromEntries(["assessment", "labeller"].map((name) => {
  const said = document.querySelector(`meta[name="labelwise-${name}"]`)?.content ?? "";
  return [`Labelwise-${name[0].toUpperCase()}${name.slice(1)}`, encodeURIComponent(said)];
}));

/** What went wrong: `status` 0 if the server was not reached, `wait` in seconds if it asked for patience. */
export class ApiError extends Error {
  constructor(status, sentence, { wait = null, code = null } = {}) {
    super(sentence);
    this.status = status;
    this.wait = wait;
    this.code = code; // only labelwise itself gives one, no proxy in between
  }

  /** Whether the same request may work later. */
  get isPassing() {
    return this.code === null || [0, 408, 425, 429].includes(this.status) || this.status >= 500;
  }

  get isSignedOut() {
    return this.status === 401 && this.code !== null;
  }

  /** Whether this page belongs to another assessment or another person than the server sees. */
  get isElsewhere() {
    return this.code === "other-assessment" || this.code === "other-labeller";
  }

  /** Whether labelwise has decided that the request can never be taken. */
  get isFinal() {
    return this.code !== null && [409, 422].includes(this.status) && !this.isElsewhere;
  }
}

async function call(method, path, body) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const response = await fetch(path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      signal: abort.signal,
      headers: { Accept: "application/json", ...(method === "GET" ? {} : PAGE), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    const wait = Number(response.headers.get("Retry-After"));
    const sentence = answer?.error ?? `The server answered ${response.status}.`;
    throw new ApiError(response.ok ? 502 : response.status, sentence, { wait: wait > 0 ? wait : null, code: answer?.code ?? null });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, "The server cannot be reached.");
  } finally {
    clearTimeout(timer);
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const remove = (path) => call("DELETE", path);
