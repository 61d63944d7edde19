// The options as they are now. The fragment leaves the address once it is read, so that a token stands in no history,
// and nothing of them is stored.

import { useEffect, useState } from "react";
import { readFragment, readMessage, type Options } from "./options.ts";

/** The origins that may frame this page; the Worker writes them into it. */
const framingOrigins = (): string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="framing-origins"]')?.content ?? "").split(" ").filter(Boolean);

function takeFragment(): Options {
  const options = readFragment(location.hash);
  history.replaceState(null, "", location.pathname);
  return options;
}

// Before anything is drawn, and once, however often React asks for the first state.
const first = takeFragment();

export function useOptions(): Options {
  const [options, setOptions] = useState(first);
  useEffect(() => {
    const origins = framingOrigins();
    const change = (more: Options) => setOptions((now) => ({ ...now, ...more }));
    const onFragment = () => location.hash !== "" && change(takeFragment());
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      const more = source === parent && source !== window && origins.includes(origin) ? readMessage(data) : undefined;
      if (more) change(more);
    };
    addEventListener("hashchange", onFragment);
    addEventListener("message", onMessage);
    return () => {
      removeEventListener("hashchange", onFragment);
      removeEventListener("message", onMessage);
    };
  }, []);
  return options;
}

/** The page around may answer with a token. Whoever it is, it learns nothing by being asked. */
export function askForToken(): void {
  if (parent !== window) parent.postMessage({ type: "fjord:token-needed" }, "*");
}
