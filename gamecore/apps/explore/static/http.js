/** The transport of the page: calls and streams over HTTP, each with the token of this run. */

import { ApiError } from "./errors.js";

const JSON_TYPE = "application/json";

/** Splits a stream of server-sent events into `onEvent(name, data)`; feed it text as it comes. */
export function eventReader(onEvent) {
  let rest = "";
  return (text) => {
    rest += text;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
      if (name && data) onEvent(name, JSON.parse(data));
    }
  };
}

export class HttpTransport {
  constructor(token) {
    this.token = token;
    this.client = crypto.randomUUID();
  }

  /** A call's answer; without a body it is a GET. */
  async call(path, body, signal) {
    const response = await this.send(path, body, signal);
    return response.json();
  }

  /** Calls `onEvent(name, data)` for each event until the stream ends or `signal` aborts it. */
  async stream(path, body, onEvent, signal) {
    const response = await this.send(path, body, signal);
    const read = eventReader(onEvent);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) read(step.value);
  }

  async send(path, body, signal) {
    const headers = { "X-Gamecore-Token": this.token, "X-Gamecore-Client": this.client };
    const request = { headers, signal, cache: "no-store" };
    if (body !== undefined) {
      headers["Content-Type"] = JSON_TYPE;
      Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    }
    let response;
    try {
      response = await fetch(path, request);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, {
        code: "away",
        message: "The server does not answer: it was ended, or this machine slept.",
      });
    }
    if (response.ok) return response;
    const answer = await response.json().catch(() => ({}));
    throw new ApiError(response.status, answer.error);
  }
}
