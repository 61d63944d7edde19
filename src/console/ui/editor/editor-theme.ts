// The editor's look, by the theme's variables, so that light and dark are one.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { pageNonce } from "../theme/provider.tsx";

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  // An outline would be below the line numbers.
  "&.cm-focused::after": {
    content: '""',
    position: "absolute",
    inset: "0",
    zIndex: "201",
    border: "1px solid var(--mantine-primary-color-filled)",
    pointerEvents: "none",
  },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-dim)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-sunken) 60%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--busy-soft)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--mark)", outline: "none" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "0 6px 24px rgb(0 0 0 / 14%)",
    color: "var(--text)",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mantine-font-family-monospace)", maxHeight: "260px" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--busy-soft)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--text-dim)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-diagnostic": { padding: "8px 12px", borderLeft: "3px solid var(--bad)", maxWidth: "60ch" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--link)",
    color: "var(--surface)",
    borderRadius: "4px",
    padding: "3px 8px",
    marginLeft: "0",
    marginTop: "6px",
    display: "block",
    cursor: "pointer",
  },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-changedLine": { backgroundColor: "var(--good-soft) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--bad-soft) !important" },
  // A coloured ground would leave too little contrast to the words on it.
  ".cm-deletedText": { background: "linear-gradient(var(--bad), var(--bad)) bottom/100% 2px no-repeat !important" },
  ".cm-collapsedLines": { background: "var(--surface-sunken)", color: "var(--text-dim)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "4px",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--text-dim)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.standard(tags.name)], color: "var(--code-name)" },
  { tag: tags.special(tags.name), color: "var(--code-number)" },
]);

/** The look of editors and of differences between texts; `label` is for screen readers. */
export const editorLook = (label: string): Extension => [
  EditorView.cspNonce.of(pageNonce()),
  // It is what the keyboard scrolls, too.
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  EditorView.lineWrapping,
  syntaxHighlighting(colours),
  look,
];
