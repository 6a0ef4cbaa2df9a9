/** The worker in which Pyodide and gamecore answer: messages of the page in, answers out, and how far loading is. */

const place = new URL("../local/", self.location.href);
const waiting = [];
let receive = (message) => waiting.push(message);
let loaded = 0;
let total = 0;

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
  return new Response(answer.body.pipeThrough(count), { status: answer.status, headers: answer.headers });
};

async function unpack(python, name) {
  const archive = await (await self.fetch(new URL(name, place))).arrayBuffer();
  python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.11/site-packages" });
}

async function start() {
  total = (await (await fetched(new URL("files.json", place))).json()).bytes;
  importScripts(new URL("pyodide.js", place).href);
  const python = await self.loadPyodide({ indexURL: place.href });
  await unpack(python, "gamecore.zip");
  const post = python.pyimport("gamecore.explore._local").post((text) => self.postMessage(JSON.parse(text)));
  receive = (message) => post(JSON.stringify(message));
  self.postMessage({ kind: "ready" });
  waiting.forEach(receive);
  await unpack(python, "later.zip"); // kernels that no first answer needs
}

start().catch((error) => {
  const memory = error instanceof RangeError || /memory/i.test(error.message);
  self.postMessage({ kind: "failed", memory, message: String(error.message ?? error) });
});
