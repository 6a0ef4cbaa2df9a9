/** The worker in which Pyodide and gamecore answer: messages of the page in, answers out, and how far loading is. */

const place = new URL("../local/", self.location.href);
const waiting = [];
let receive = (message) => waiting.push(message);
let loaded = 0;
let total = 0;
let cache = null; // what the service worker would fetch again is put there as it comes
const kept = [];

self.onmessage = ({ data }) => receive(data);

/** Every file that is fetched counts, Pyodide's own among them. */
const fetched = self.fetch.bind(self);
self.fetch = async (...request) => {
  const answer = await fetched(...request);
  if (!answer.ok) throw new Error(`${answer.status} ${request[0]}`);
  const count = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      self.postMessage({ kind: "loading", loaded, total });
      controller.enqueue(chunk);
    },
  });
  kept.push(cache?.put(request[0], answer.clone()));
  return new Response(answer.body.pipeThrough(count), { status: answer.status, headers: answer.headers });
};

async function fetchArchive(name) {
  return (await self.fetch(new URL(name, place).href)).arrayBuffer();
}

function unpack(python, archive) {
  python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.11/site-packages" });
}

async function start() {
  const files = await (await fetched(new URL("files.json", place))).json();
  total = files.bytes;
  cache = await self.caches?.open(files.name).catch(() => null);
  const archive = fetchArchive("gamecore.zip");
  importScripts(new URL("pyodide.js", place).href);
  const python = await self.loadPyodide({ indexURL: place.href });
  unpack(python, await archive);
  const post = python.pyimport("gamecore.explore._local").post((text) => self.postMessage(JSON.parse(text)));
  receive = (message) => post(JSON.stringify(message));
  self.postMessage({ kind: "ready" });
  waiting.forEach(receive);
  unpack(python, await fetchArchive("later.zip")); // kernels that no first answer needs
  await Promise.allSettled(kept);
  self.postMessage({ kind: "kept" });
}

start().catch((error) => {
  const memory = error instanceof RangeError || /memory/i.test(error.message);
  self.postMessage({ kind: "failed", memory, message: String(error.message ?? error) });
});
