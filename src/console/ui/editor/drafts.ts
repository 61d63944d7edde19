// A draft is what somebody typed and has not saved. The browser keeps it, so that it outlives a reload, a crash and a
// session that ended.

import { useState } from "react";

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

function writeDraft(key: string, draft: Draft | undefined): void {
  if (draft) localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  else localStorage.removeItem(PREFIX + key);
}

/** The draft of a text, and how it is changed; undefined is no draft. */
export function useDraft(key: string): [Draft | undefined, (draft: Draft | undefined) => void] {
  const [draft, setDraft] = useState(() => readDraft(key));
  return [
    draft,
    (next) => {
      writeDraft(key, next);
      setDraft(next);
    },
  ];
}
