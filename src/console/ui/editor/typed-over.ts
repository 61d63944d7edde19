// A character typed over a selection changes the document, and not the page first: a browser that replaces coloured
// text by itself writes the colour into a style attribute, which the page's policy refuses.

import { EditorView } from "@codemirror/view";

export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const { data } = event;
    if (event.inputType !== "insertText" || data === null || empty || view.composing) return false;
    event.preventDefault();
    const typed = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, typed));
    if (!isHandled) view.dispatch(typed());
    return true;
  },
});
