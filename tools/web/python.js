/** Python in a worker, as the page and the tutorials use it. */

const OLD = "This page computes in your browser, and needs WebAssembly, which this browser does not have.";
const SMALL = "This browser has too little memory for this page: close other tabs, and load it again.";

/** Starts the worker; a model as `MessageTransport` wants it. `tell` gets a sentence, and whether it is the last. */
export function start(tell) {
  const listeners = new Set();
  const model = {
    send: (message) => worker?.postMessage(message),
    on: (_, listener) => listeners.add(listener),
    off: (_, listener) => listeners.delete(listener),
  };
  const fail = (text) => tell(text, "failed");
  let worker = null;
  if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
    fail(OLD);
    return model;
  }
  worker = new Worker(new URL("worker.js", import.meta.url));
  worker.onerror = () => fail("Python could not be loaded. Load the page again.");
  worker.onmessage = ({ data }) => {
    if (data.kind === "loading") {
      tell(`Loading Python and gamecore: ${(data.loaded / 1e6).toFixed(1)} of ${(data.total / 1e6).toFixed(1)} MB.`, "loading");
    } else if (data.kind === "ready" || data.kind === "kept") tell("", data.kind);
    else if (data.kind === "failed") fail(data.memory ? SMALL : `Python could not be loaded: ${data.message}. Load the page again.`);
    else for (const listener of listeners) listener(data);
  };
  return model;
}
