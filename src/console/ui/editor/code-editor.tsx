// An editor for code on CodeMirror. Its document belongs to a key, under which text, place and what can be undone stay
// while the page does.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorLook } from "./editor-theme.ts";
import { typedOver } from "./typed-over.ts";
import { wayOut } from "./way-out.ts";

type CodeEditorProps = {
  documentKey: string;
  text: string;
  onChange: (text: string) => void;
  /** Language, completion and keys; a new list takes the place of the one before. */
  extensions: Extension;
  label: string;
  /** Hands out the view, for what inserts text or marks it. */
  onView?: (view: EditorView | undefined) => void;
};

const KEPT_STATES_MAX = 60;
const keptStates = new Map<string, unknown>();
const FIELDS = { history: historyField };

export function CodeEditor({ documentKey, text, onChange, extensions, label, onView }: CodeEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const compartment = useRef(new Compartment());
  const latest = useRef({ onChange, onView });
  latest.current = { onChange, onView };
  const first = useRef({ text, extensions, label });
  first.current = { text, extensions, label };

  useEffect(() => {
    const all: Extension = [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      typedOver,
      editorLook(first.current.label),
      wayOut,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
      }),
      // The screen's own keys come first.
      compartment.current.of(first.current.extensions),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
    ];
    const made = new EditorView({ parent: parent.current!, state: stateOf(documentKey, first.current.text, all) });
    view.current = made;
    latest.current.onView?.(made);
    return () => {
      keep(documentKey, made.state);
      latest.current.onView?.(undefined);
      made.destroy();
      view.current = undefined;
    };
  }, [documentKey]);

  useEffect(() => {
    view.current?.dispatch({ effects: compartment.current.reconfigure(extensions) });
  }, [extensions]);

  useEffect(() => {
    const now = view.current?.state.doc.toString();
    if (now === undefined || now === text) return;
    view.current!.dispatch({ changes: { from: 0, to: now.length, insert: text } });
  }, [text]);

  return <div ref={parent} style={{ height: "100%", minHeight: 0 }} />;
}

function stateOf(key: string, text: string, extensions: Extension): EditorState {
  const kept = keptStates.get(key);
  if (kept) {
    const state = EditorState.fromJSON(kept, { extensions }, FIELDS);
    if (state.doc.toString() === text) return state;
  }
  return EditorState.create({ doc: text, extensions, selection: { anchor: text.length } });
}

function keep(key: string, state: EditorState): void {
  keptStates.delete(key);
  keptStates.set(key, state.toJSON(FIELDS));
  const [oldest] = keptStates.keys();
  if (keptStates.size > KEPT_STATES_MAX) keptStates.delete(oldest!);
}
