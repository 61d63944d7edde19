// A definition from the text it was sent as: read, checked, and every flaw reported with its pointer, line and column.

import type { DocAutomation } from "./automation.ts";
import { checkDashboard } from "../../../../kernel/docs/check-dashboard.ts";
import { checkFields } from "../../../../kernel/docs/check-fields.ts";
import type { Dashboard } from "../../../../kernel/docs/dashboard.ts";
import { withNotes } from "../../../../kernel/docs/undrawn.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { DOC_LIMITS } from "../limits.ts";
import { type Flaw, invalidAt, Problem } from "../../../core/problem.ts";
import { flawsByKind, flawsOf } from "../../../http/render-problem.ts";
import { checkFilterParameters, warnOfFilters } from "../filters/check-filters.ts";
import { checkAutomations } from "./check-automations.ts";
import { checkBuilds } from "./builds/check-builds.ts";
import { checkGraph } from "./check-graph.ts";
import { columnsOfCube } from "./cube-columns.ts";
import { Definition } from "./definition.ts";
import { findUnused } from "./find-unused.ts";
import { Grammar } from "./grammar.ts";
import { readText, type MediaType, type ReadText } from "./read-text.ts";

/**
 * `warnings` point at what nothing here reads, draws, or does anything by. The dashboard has a note in the place of
 * each tile that is not drawn.
 */
export type ParsedDefinition = {
  definition: Definition;
  dashboard: Dashboard;
  automations: DocAutomation[];
  warnings: Flaw[];
  locate: ReadText["locate"];
};

/** Throws `validation_failed` with all flaws of one kind at once: of the text, of its form, of what refers to what. */
export function parseDefinition(text: string, mediaType: MediaType): ParsedDefinition {
  if (text.includes("\0")) throw invalidAt("", "It has a NUL character.", "The definition has a NUL character.");
  const { value, locate } = readText(text, mediaType);
  refuseCrowd(value, locate);
  const { flaws, ...checked } = check(value);
  if (flaws.length > 0 || checked.definition === undefined)
    throw new Problem(
      "validation_failed",
      "The definition is not valid.",
      locate(flaws.slice(0, REQUEST_LIMITS.flawsReportedMax)),
    );
  return { ...checked, definition: checked.definition, locate };
}

/**
 * Parses a text that is stored. It was valid when it was saved, so what the grammar has against it since is a warning.
 * Without a dashboard it draws nothing that is understood.
 */
export function inspectDefinition(
  text: string,
  mediaType: MediaType,
): Omit<ParsedDefinition, "dashboard"> & { dashboard: Dashboard | undefined } {
  const { value, locate } = readText(text, mediaType);
  const { flaws, dashboard, automations, warnings } = check(value);
  const definition = Definition.parse(value);
  const isDrawn = flaws.length === 0;
  return {
    definition,
    dashboard: isDrawn ? dashboard : undefined,
    automations,
    warnings: [...flaws, ...warnings],
    locate,
  };
}

type Checked = Omit<ParsedDefinition, "definition" | "locate"> & { definition: Definition | undefined; flaws: Flaw[] };

function check(value: unknown): Checked {
  const parsed = Definition.safeParse(value);
  const { doc, undrawn } = withNotes(value);
  const form = Grammar.safeParse(doc);
  const found = form.success ? [] : flawsByKind(form.error);
  const flawsOfForm = found
    .filter(({ isUnknownKey }) => !isUnknownKey)
    .map(({ pointer, message }) => ({ pointer, message }));
  // All of the form is right but for members that nothing knows, which nobody looks at.
  const grammar = doc as Grammar;
  const isRead = parsed.success && flawsOfForm.length === 0;
  const dashboard = isRead ? grammar : {};
  const automations = isRead ? (grammar.automations ?? []) : [];
  const unknown = found
    .filter(({ isUnknownKey }) => isUnknownKey)
    .map(({ pointer }) => ({ pointer, message: "Nothing here knows this member; it is kept as it is, and not read." }));
  const flaws = isRead
    ? referenceFlaws(parsed.data, dashboard, automations)
    : flawsOfForm.length > 0
      ? flawsOfForm
      : flawsOf(parsed.error!);
  return {
    definition: parsed.data,
    dashboard,
    automations,
    warnings: isRead
      ? [...warnOfFilters(parsed.data.datasets, dashboard), ...findUnused(grammar), ...undrawn, ...unknown]
      : unknown,
    flaws,
  };
}

/** What one part says of another. */
function referenceFlaws({ datasets }: Definition, dashboard: Dashboard, automations: DocAutomation[]): Flaw[] {
  const graph = [...checkGraph(datasets), ...checkBuilds(datasets)];
  if (graph.length > 0) return graph;
  const keys = Object.keys(datasets);
  const cubes = (key: string) => {
    const dataset = Object.hasOwn(datasets, key) ? datasets[key] : undefined;
    return dataset?.engine === "cube" ? columnsOfCube(dataset) : undefined;
  };
  return [
    ...checkDashboard(dashboard, keys),
    ...checkFilterParameters(datasets, dashboard.filters ?? []),
    ...checkFields(dashboard, cubes),
    ...checkAutomations(automations, keys),
  ];
}

/** Before each of them is looked at, which takes longer than to read them. */
function refuseCrowd(value: unknown, locate: (flaws: readonly Flaw[]) => Flaw[]): void {
  const datasets = (value as { datasets?: unknown } | null)?.datasets;
  if (typeof datasets !== "object" || datasets === null || Object.keys(datasets).length <= DOC_LIMITS.datasetsMax)
    return;
  throw new Problem(
    "validation_failed",
    "The definition is not valid.",
    locate([{ pointer: "/datasets", message: `A doc has at most ${DOC_LIMITS.datasetsMax} datasets.` }]),
  );
}

/** Parses a stored text, which was valid when it was stored. */
export const reparse = (text: string, mediaType: MediaType): Definition =>
  Definition.parse(readText(text, mediaType).value);

/** Bytes, since a row is measured in them. */
export function refuseLongText(bytes: number): void {
  if (bytes <= DOC_LIMITS.textBytesMax) return;
  throw new Problem("body_too_large", `A definition has at most ${DOC_LIMITS.textBytesMax} bytes.`);
}
