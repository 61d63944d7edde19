// Tab indents in an editor of code. Screen readers say at once how the keyboard leaves it, and everybody sees it once
// Tab was pressed.

import type { Extension } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";

const WAY_OUT = "Tab indents here. Escape and then Tab leaves the editor.";
const SHOWN_MS = 5_000;

class Hint {
  readonly #element = document.createElement("div");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.#element.className = "cm-wayOut";
    this.#element.setAttribute("role", "status");
    view.dom.append(this.#element);
  }

  show(): void {
    clearTimeout(this.#timer);
    this.#element.textContent = WAY_OUT;
    this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#element.textContent = "";
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#element.remove();
  }
}

const hint = ViewPlugin.fromClass(Hint, {
  eventObservers: {
    keydown({ key }) {
      if (key === "Tab") this.show();
    },
    blur() {
      this.hide();
    },
  },
});

const look = EditorView.baseTheme({
  ".cm-wayOut": {
    position: "absolute",
    right: "12px",
    bottom: "8px",
    padding: "3px 8px",
    borderRadius: "4px",
    background: "var(--text)",
    color: "var(--surface)",
    fontSize: "12px",
    pointerEvents: "none",
  },
  ".cm-wayOut:empty": { display: "none" },
});

/** For editors that take the Tab key. */
export const wayOut: Extension = [EditorView.contentAttributes.of({ "aria-description": WAY_OUT }), hint, look];
