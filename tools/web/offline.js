/** The service worker: what the page needs is kept when it is first opened; other pages once they have been read. */

const NAME = "{name}";
const FILES = new Set({files}.map((name) => new URL(name, self.location.href).href));

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    for (const file of FILES) if (!(await cache.match(file))) await cache.add(file);
  };
  event.waitUntil(keep());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("gamecore-") && name !== NAME) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(old());
});

async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && FILES.has(kept.url)) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.location.origin)) event.respondWith(answer(event.request));
});
