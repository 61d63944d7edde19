// A draft is what somebody typed and has not saved. The browser keeps it, so that it outlives a reload, a crash and a
// session that ended.

import { useState } from "react";
import { showToast } from "../feedback/toasts.tsx";

const PREFIX = "fjord-draft:";

/** `base` is the version that the draft was begun from. */
export type Draft = { base: number; text: string };

export function readDraft(key: string): Draft | undefined {
  try {
    const { base, text } = JSON.parse(localStorage.getItem(PREFIX + key) ?? "{}") as Partial<Draft>;
    return typeof base === "number" && typeof text === "string" ? { base, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Drafts that the browser did not keep; each is told of once. */
const unkept = new Set<string>();

function writeDraft(key: string, draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(PREFIX + key, JSON.stringify(draft));
    else localStorage.removeItem(PREFIX + key);
    unkept.delete(key);
  } catch {
    if (!unkept.has(key)) showToast("The browser's storage is full or off: this draft is lost with the page.", "bad");
    unkept.add(key);
  }
}

/** The draft of a text, and how it is changed; undefined is no draft. */
export function useDraft(key: string): [Draft | undefined, (draft: Draft | undefined) => void] {
  const [draft, setDraft] = useState(() => readDraft(key));
  return [
    draft,
    (next) => {
      setDraft(next);
      writeDraft(key, next);
    },
  ];
}
