// A page of elsewhere shows a published dashboard by a few lines of HTML. Pure.

type Shown = { name: string; path: string };

/** `origin` is this platform's; the page fetches a token of its own server, which knows who is signed in there. */
export const embeddingSnippet = ({ name, path }: Shown, origin: string): string =>
  `<script>
  addEventListener("message", async ({ source, origin, data }) => {
    if (origin !== "${origin}" || data.type !== "fjord:token-needed") return;
    const token = await (await fetch("/dashboard-token")).text();
    source.postMessage({ type: "fjord:set", token }, origin);
  });
</script>
<iframe
  title="${name}"
  src="${origin}${path.replace(/^\/v1\//, "/embed/")}#theme=auto"
  style="width: 100%; height: 720px; border: 0"
></iframe>`;
