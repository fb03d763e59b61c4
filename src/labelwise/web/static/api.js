// The HTTP client: JSON requests and responses, and errors that carry the server's message.

const TIMEOUT = 20_000; // milliseconds

/** The assessment and labeller this page was loaded for. The server rejects writes from pages of any other. */
const PAGE = Object.fromEntries(["assessment", "labeller"].map((name) => {
  const value = document.querySelector(`meta[name="labelwise-${name}"]`)?.content ?? "";
  return [`Labelwise-${name[0].toUpperCase()}${name.slice(1)}`, encodeURIComponent(value)];
}));

/** A failed request: `status` is 0 if the server was not reached, `wait` the seconds of a Retry-After header. */
export class ApiError extends Error {
  constructor(status, sentence, { wait = null, code = null } = {}) {
    super(sentence);
    this.status = status;
    this.wait = wait;
    this.code = code; // null if a proxy answered instead of labelwise
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.code === null || [0, 408, 425, 429].includes(this.status) || this.status >= 500;
  }

  get isSignedOut() {
    return this.status === 401 && this.code !== null;
  }

  /** Whether this page was loaded for another assessment or another person. */
  get isElsewhere() {
    return this.code === "other-assessment" || this.code === "other-labeller";
  }

  /** Whether the request can never succeed, so that retrying is pointless. */
  get isFinal() {
    return this.code !== null && [409, 422].includes(this.status) && !this.isElsewhere;
  }
}

async function call(method, path, body) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
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
    const sentence = answer?.error ?? `The server responded with status ${response.status}.`;
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
