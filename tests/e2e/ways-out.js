/**
 * Ways by which a script can send something, one function each: from a page or from a worker to an address. Served to the
 * pages under test and run there as the page's own code; never part of the site.
 */

const element = (name, properties) =>
  document.body.append(Object.assign(document.createElement(name), properties));
const inHead = (name, properties) =>
  document.head.append(Object.assign(document.createElement(name), properties));
const link = (rel, rest) => (address) => inHead("link", { rel, href: address, ...rest });
const socket = (address) => address.replace(/^http/, "ws");
const host = (address) => new URL(address).host;

/** A frame without an address of its own, through which a script might get at what is forbidden to the page. */
async function emptyFrame() {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return frame;
}

const PAGE = {
  fetch: (address) => fetch(address, { mode: "no-cors", keepalive: true }),
  XMLHttpRequest(address) {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.send("x");
  },
  sendBeacon: (address) => navigator.sendBeacon(address, "x"),
  EventSource: (address) => new EventSource(address),
  WebSocket: (address) => new WebSocket(socket(address)),
  image: (address) => element("img", { src: address }),
  "background of a style": (address) => {
    const box = document.createElement("p");
    box.textContent = "in view";
    document.body.prepend(box);
    box.style.backgroundImage = `url(${address})`;
  },
  video: (address) => element("video", { src: address, preload: "auto" }),
  font: (address) => new FontFace("sent", `url(${address})`).load(),
  "style sheet": link("stylesheet"),
  "@import in a style": (address) => inHead("style", { textContent: `@import url(${address});` }),
  script: (address) => inHead("script", { src: address }),
  "import()": (address) => import(address),
  frame: (address) => element("iframe", { src: address }),
  object: (address) => element("object", { data: address }),
  "ping of a link": (address) => {
    const anchor = Object.assign(document.createElement("a"), { href: "#nowhere", ping: address });
    document.body.append(anchor);
    anchor.click();
  },
  icon: link("icon"),
  manifest: link("manifest"),
  prefetch: link("prefetch"),
  preload: link("preload", { as: "image" }),
  modulepreload: link("modulepreload"),
  "worker of an address": (address) => new Worker(address),
  "shared worker": (address) => new SharedWorker(address),
  "service worker": (address) => navigator.serviceWorker.register(address),
  "audio worklet": (address) => new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(address),
  cache: async (address) => (await caches.open("sent")).add(address),
  "fetch in an empty frame": async (address) =>
    (await emptyFrame()).contentWindow.fetch(address, { mode: "no-cors" }),
  "frame with a page of its own": (address) => element("iframe", { srcdoc: `<img src="${address}">` }),
  preconnect: link("preconnect"),
  form: (address) => {
    const form = document.createElement("form");
    const name = `answer ${address}`;
    element("iframe", { name });
    Object.assign(form, { action: address, target: name });
    document.body.append(form);
    form.submit();
  },
  WebRTC: async (address) => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:${host(address)}` }] });
    connection.createDataChannel("sent");
    await connection.setLocalDescription(await connection.createOffer());
  },
};

const WORKER = {
  fetch: PAGE.fetch,
  XMLHttpRequest: PAGE.XMLHttpRequest,
  EventSource: PAGE.EventSource,
  WebSocket: PAGE.WebSocket,
  font: async (address) => new FontFace("sent", `url(${address})`).load(),
  importScripts: (address) => importScripts(address),
  "import()": PAGE["import()"],
  "worker of an address": PAGE["worker of an address"],
  cache: PAGE.cache,
  "fetch in a worker of its own": (address) => {
    const source = `fetch(${JSON.stringify(address)}, { mode: "no-cors" }).catch(() => {})`;
    new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  },
};

/** Tries it; what the browser throws at once or later is its refusal, and is told. */
async function attempt(ways, name, address) {
  try {
    await ways[name](address);
    return "tried";
  } catch (error) {
    return String(error);
  }
}

if (globalThis.document) {
  globalThis.pageWays = Object.keys(PAGE);
  globalThis.workerWays = Object.keys(WORKER);
  globalThis.attemptInPage = (name, address) => attempt(PAGE, name, address);
  // As the engine's worker is: made from a blob, of code that the page has.
  globalThis.attemptInWorker = async (source, name, address) => {
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    worker.postMessage({ name, address });
  };
} else {
  addEventListener("message", ({ data: { name, address } }) => attempt(WORKER, name, address));
}
