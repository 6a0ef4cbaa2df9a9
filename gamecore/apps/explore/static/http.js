/** The transport of the page: calls and streams over HTTP, each with the token of this run. */

/** The error of an answer that says what is wrong: with its code, line and column; `message` is a sentence to be shown. */
const refusal = ({ message, ...more }) => Object.assign(new Error(message), more);

export class HttpTransport {
  constructor(token) {
    this.token = token;
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // `randomUUID` needs a secure context
    this.client = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** A call's answer; without a body it is a GET. */
  async call(path, body, signal) {
    return (await this.send(path, body, signal)).json();
  }

  /** Calls `onEvent(name, data)` for each event until the stream ends or `signal` aborts it. */
  async stream(path, body, onEvent, signal) {
    const response = await this.send(path, body, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const events = (rest + step.value).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []; // else a comment, which keeps it alive
        if (name) onEvent(name, JSON.parse(data));
      }
    }
  }

  async send(path, body, signal) {
    const headers = { "X-Gamecore-Token": this.token, "X-Gamecore-Client": this.client };
    const request = { headers, signal, cache: "no-store" };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    }
    const response = await fetch(path, request).catch((error) => {
      if (signal?.aborted) throw error;
      throw refusal({ code: "away", message: "The server does not answer: it was ended, or this machine slept." });
    });
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({}));
    throw refusal(error ?? { code: "internal", message: `The server answered ${response.status}.` });
  }
}
