// What the messages of a run say: one content for all its recipients.

import type { Viz } from "../../../../kernel/docs/viz.ts";
import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { MessageContent, MessageFile } from "../../messages/content.ts";
import { MESSAGE_LIMITS } from "../../messages/limits.ts";
import type { Message } from "../../messages/message.ts";
import { describeCondition, type Judgement } from "../condition.ts";
import type { DeliveryRow } from "../delivery.ts";
import { DELIVERY_LIMITS } from "../limits.ts";
import { isChart, type Chart } from "../render/charts/chart-context.ts";
import { drawChart } from "../render/charts/draw-chart.ts";
import { composeMail, type MailPart } from "../render/mail/compose-mail.ts";
import { toPng } from "../render/pictures/to-png.ts";
import type { ResultTable } from "../render/result/read-result.ts";
import { keepFile, sendFiles } from "./files.ts";
import { namedViz, type PlannedPart, type Tables } from "./parts.ts";

type Ctx = Needs<"db" | "scope" | "bucket" | "settings">;
type Composed = {
  delivery: DeliveryRow;
  judgement: Judgement;
  parts: readonly PlannedPart[];
  tables: Tables;
  /** The first of the messages, whose objects all of them share. */
  first: Message;
};

const CHART_SIZE = { width: 600, height: 320 };

/** Throws the Problem of what is too large for a mail. */
export async function composeContent(ctx: Ctx, composed: Composed): Promise<MessageContent> {
  const { delivery, judgement, first } = composed;
  const { parts, pictures } = await drawParts(ctx, composed);
  const { files, links } = await sendFiles(ctx, composed);
  requireMailable(delivery, [...pictures, ...files]);
  const { condition, message, name } = delivery;
  const seen = condition && judgement.state ? describeCondition(condition, judgement.state) : null;
  const mail = composeMail({
    title: first.subject,
    intro: [seen, message].filter((text) => text !== null && text !== "").join("\n\n"),
    parts,
    links,
    footer: `This is the delivery ${name}.`,
    unsubscribeUrl: null,
  });
  return { subject: first.subject, ...mail, files: [...pictures, ...files], links };
}

async function drawParts(
  ctx: Ctx,
  { parts: planned, tables, first }: Composed,
): Promise<{ parts: MailPart[]; pictures: MessageFile[] }> {
  const pictures: MessageFile[] = [];
  const parts: MailPart[] = [];
  for (const part of planned) {
    if (part.kind === "markdown") parts.push(part);
    else {
      const table = tables.get(part.name)!;
      const viz = namedViz(part.viz, table, part.name);
      if (!viz || !isChart(viz)) parts.push(textPart(part.title, table, viz));
      else if (pictures.length === DELIVERY_LIMITS.deliveryChartsMax)
        parts.push({ kind: "note", title: part.title, text: `A message shows ${pictures.length} charts at most.` });
      else {
        const { picture, shown } = await drawPicture(ctx, {
          title: part.title,
          viz,
          table,
          first,
          at: pictures.length,
        });
        pictures.push(picture);
        parts.push(shown);
      }
    }
  }
  return { parts, pictures };
}

function textPart(title: string, table: ResultTable, viz: Exclude<Viz, Chart> | undefined): MailPart {
  return viz?.type === "kpi" ? { kind: "kpi", title, table, viz } : { kind: "table", title, table, viz };
}

type Drawn = { title: string; viz: Chart; table: ResultTable; first: Message; at: number };

async function drawPicture(ctx: Ctx, { title, viz, table, first, at }: Drawn) {
  const contentId = `chart-${at + 1}`;
  const { svg, notes } = await drawChart(viz, table, { ...CHART_SIZE, theme: "light" });
  const file = { name: `${contentId}.png`, mediaType: "image/png", bytes: await toPng(svg) };
  const picture = await keepFile(ctx, first, file, contentId);
  const shown: MailPart = { kind: "chart", title, contentId, ...CHART_SIZE, notes };
  return { picture, shown };
}

function requireMailable({ recipients }: DeliveryRow, files: readonly MessageFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= MESSAGE_LIMITS.mailFileBytesMax || !recipients.some(({ channel }) => channel === "email")) return;
  throw new Problem(
    "validation_failed",
    `The files and pictures of a mail may have ${MESSAGE_LIMITS.mailFileBytesMax} bytes together, and these have ` +
      `${bytes}. Send links, or less.`,
  );
}
