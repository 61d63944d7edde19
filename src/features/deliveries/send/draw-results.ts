// The parts of a message drawn, result by result, with the pictures and files that go with them. Nothing is written:
// what is too large is refused before it leaves anything behind.

import { isByIndex } from "../../../../kernel/docs/chart-options.ts";
import type { DeliveryChannel } from "../../../core/messages.ts";
import type { DeliveryRow } from "../delivery.ts";
import { DELIVERY_LIMITS } from "../limits.ts";
import { isChart } from "../../../../kernel/docs/draw/charts/chart-context.ts";
import { drawChart } from "../render/charts/draw-chart.ts";
import type { MailPart } from "../render/mail/compose-mail.ts";
import { kpisOf } from "../../../../kernel/docs/draw/kpi.ts";
import { showTable } from "../render/mail/shown-table.ts";
import { toPng } from "../render/pictures/to-png.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { gatherFiles, writeFile, type FileGatherer, type WrittenFile } from "./files.ts";
import type { OpenResults } from "./open-results.ts";
import { namedViz, namesIn, type PlannedPart, type PlannedResult } from "./parts.ts";

/** Whether a channel's messages show pictures. */
const SHOWS_PICTURES: Record<DeliveryChannel, boolean> = { email: true, slack: true, teams: false, webhook: false };

const CHART_SIZE = { width: 600, height: 320 };

export type Drawn = { parts: MailPart[]; files: readonly WrittenFile[] };

/** Each result is opened once, for all that shows it; one that nothing shows or sends is not. */
export async function drawResults(
  delivery: DeliveryRow,
  planned: readonly PlannedPart[],
  results: OpenResults,
): Promise<Drawn> {
  const files = gatherFiles();
  const parts = planned.map(withoutResult(delivery));
  const isAttached = delivery.files?.by === "attachment";
  for (const name of namesIn(planned)) {
    const missing = planned.flatMap((part, at) =>
      part.kind === "result" && part.name === name && !parts[at] ? [{ part, at }] : [],
    );
    if (missing.length === 0 && !isAttached) continue;
    const table = await results.open(name);
    for (const { part, at } of missing) parts[at] = await drawPart(part, { table, files, at });
    if (isAttached) files.add(writeFile(delivery, { name, table, bytesMax: files.bytesLeft() }));
  }
  results.close();
  return { parts: parts.filter((part) => part !== undefined), files: files.all };
}

/** The parts for which no result is read: text, charts that no receiver can see, and those past the bound. */
function withoutResult({ recipients }: DeliveryRow): (part: PlannedPart) => MailPart | undefined {
  const isSeen = recipients.some(({ channel }) => SHOWS_PICTURES[channel]);
  let charts = 0;
  return (part) => {
    if (part.kind === "markdown") return part;
    const { title, viz } = part;
    const isPicture = viz !== undefined && (isByIndex(viz) ? viz.chartType !== "kpi" : isChart(viz));
    if (!isPicture) return undefined;
    if (!isSeen) return { kind: "note", title, text: "A chart, which mails and Slack show." };
    const { deliveryChartsMax: chartsMax } = DELIVERY_LIMITS;
    return ++charts > chartsMax
      ? { kind: "note", title, text: `A message shows ${chartsMax} charts at most.` }
      : undefined;
  };
}

type Drawing = { table: ResultTable; files: FileGatherer; at: number };

async function drawPart(part: PlannedResult, { table, files, at }: Drawing): Promise<MailPart> {
  const { title } = part;
  const viz = namedViz(part.viz, table, part.name);
  if (viz?.type === "kpi") return { kind: "kpi", title, kpis: kpisOf(viz, table) };
  if (!viz || !isChart(viz)) return { kind: "table", title, shown: showTable(table, viz) };
  const contentId = `chart-${at + 1}`;
  const { svg, notes } = await drawChart(viz, table, { ...CHART_SIZE, theme: "light" });
  files.add({ name: `${contentId}.png`, mediaType: "image/png", bytes: await toPng(svg), contentId });
  return { kind: "chart", title, contentId, ...CHART_SIZE, notes };
}
