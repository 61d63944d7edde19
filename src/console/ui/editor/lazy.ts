// The editors, whose code is fetched when the first is shown.

import { lazy } from "react";

export type { TextLanguage } from "./diff-view.tsx";
export type { EditorFlaw } from "./yaml-editor.tsx";
export const YamlEditor = lazy(() => import("./yaml-editor.tsx"));
export const DiffView = lazy(() => import("./diff-view.tsx"));
