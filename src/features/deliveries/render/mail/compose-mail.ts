// A mail: its HTML, the same as plain text, and its tables for channels that show neither. Every value is escaped.

import type { MessageLink, MessageTable } from "../../../messages/content.ts";
import { escapeHtml, linkTarget } from "./escape.ts";
import type { Kpi } from "../../../../../kernel/docs/draw/kpi.ts";
import { markdownHtml } from "./markdown.ts";
import { messageTableOf, restOf, type ShownTable } from "./shown-table.ts";
import { HEAD_STYLES, styled } from "./styles.ts";

/** `chart`: a picture that goes with the message under its content id. `note`: what is said in place of a part. */
export type MailPart =
  | { kind: "table"; title: string; shown: ShownTable }
  | { kind: "kpi"; title: string; kpis: readonly Kpi[] }
  | { kind: "chart"; title: string; contentId: string; width: number; height: number; notes: readonly string[] }
  | { kind: "markdown"; title: string; content: string }
  | { kind: "note"; title: string; text: string };

export type NewMail = {
  title: string;
  /** Plain text below the title; may be empty. */
  intro: string;
  parts: readonly MailPart[];
  links: readonly MessageLink[];
  /** Why it was sent: the line at its end. */
  footer: string;
  /** Null where nobody can unsubscribe, as members who ordered it for themselves. */
  unsubscribeUrl: string | null;
};

export type ComposedMail = { html: string; text: string; tables: MessageTable[] };

type Drawn = { html: string; text: string; table?: MessageTable };

export function composeMail(mail: NewMail): ComposedMail {
  const parts = mail.parts.map(drawPart);
  const rows = [
    `<h1 ${styled("title")}>${escapeHtml(mail.title)}</h1>${mail.intro && `<p ${styled("text", "margin-top:8px")}>${lines(mail.intro)}</p>`}`,
    ...parts.map(({ html }) => html),
    ...(mail.links.length > 0 ? [mail.links.map(linkHtml).join("")] : []),
    footerHtml(mail),
  ];
  return {
    html: pageHtml(mail.title, rows),
    text: [
      mail.title,
      mail.intro,
      ...parts.map(({ text }) => text),
      ...mail.links.map(({ title, url, expiresAt }) => `${title} (until ${instant(expiresAt)}):\n${url}`),
      [mail.footer, mail.unsubscribeUrl && `Unsubscribe: ${mail.unsubscribeUrl}`].filter(Boolean).join("\n"),
    ]
      .filter(Boolean)
      .join("\n\n"),
    tables: parts.flatMap(({ table }) => (table ? [table] : [])),
  };
}

function drawPart(part: MailPart): Drawn {
  const { title } = part;
  const headed = (html: string): string => (title ? `<h2 ${styled("heading")}>${escapeHtml(title)}</h2>` : "") + html;
  const underlined = (text: string): string =>
    (title ? `${title}\n${"-".repeat(Math.min(60, title.length))}\n` : "") + text;
  switch (part.kind) {
    case "table":
      return {
        html: headed(tableHtml(part.shown)),
        text: underlined(tableText(part.shown)),
        table: messageTableOf(title, part.shown),
      };
    case "kpi":
      return { html: headed(part.kpis.map(kpiHtml).join("")), text: underlined(part.kpis.map(kpiText).join("\n")) };
    case "chart": {
      const notes = part.notes.join(" ");
      const alt = escapeHtml(`Chart: ${title}`);
      const picture = `<img src="cid:${escapeHtml(part.contentId)}" alt="${alt}" width="${Math.round(part.width)}" height="${Math.round(part.height)}" ${styled("picture")}>`;
      const said = notes && `<p ${styled("muted")}>${escapeHtml(notes)}</p>`;
      return {
        html: headed(picture + said),
        text: underlined(`[A chart: the picture ${part.contentId}]${notes && `\n${notes}`}`),
      };
    }
    case "markdown":
      return { html: headed(markdownHtml(part.content)), text: underlined(part.content) };
    case "note":
      return { html: headed(`<p ${styled("text")}>${lines(part.text)}</p>`), text: underlined(part.text) };
  }
}

const lines = (text: string): string => escapeHtml(text).replace(/\r\n|\n|\r/g, "<br>");

function tableHtml(shown: ShownTable): string {
  const look = (isNumber: boolean) => (isNumber ? "text-align:right;white-space:nowrap" : "");
  const heads = shown.columns.map(
    ({ label, isNumber }) => `<th scope="col" ${styled("head", look(isNumber))}>${escapeHtml(label)}</th>`,
  );
  const rows = shown.rows.map((row) => {
    const cells = row.map(
      (cell, i) => `<td ${styled("data", look(shown.columns[i]!.isNumber))}>${cell === null ? "" : lines(cell)}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  const rest = restOf(shown) || (shown.rowCount === 0 ? "No rows." : "");
  return (
    `<div ${styled("scroll")}><table ${styled("table")}><thead><tr>${heads.join("")}</tr></thead>` +
    `<tbody>${rows.join("\n")}</tbody></table></div>${rest && `<p ${styled("muted")}>${escapeHtml(rest)}</p>`}`
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

function tableText(shown: ShownTable): string {
  const heads = shown.columns.map(({ label }) => oneLine(label)).join(" | ");
  const rows = shown.rows.map((row) => row.map((cell) => oneLine(cell ?? "")).join(" | "));
  return [heads, ...rows, restOf(shown) || (shown.rowCount === 0 ? "No rows." : "")].filter(Boolean).join("\n");
}

const kpiHtml = ({ label, value, comparison, note }: Kpi): string =>
  `<p ${styled("muted")}>${escapeHtml(label)}</p><p ${styled("number")}>${escapeHtml(value)}</p>` +
  [comparison, note].map((said) => (said ? `<p ${styled("muted")}>${escapeHtml(said)}</p>` : "")).join("");

const kpiText = ({ label, value, comparison, note }: Kpi): string =>
  `${label}: ${value}${comparison === undefined ? "" : ` (${comparison})`}${note && ` ${note}`}`;

const anchor = (url: string, text: string): string =>
  linkTarget(url) ? `<a ${styled("link")} href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);

const instant = (iso: string): string => iso.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC");

const linkHtml = ({ title, url, expiresAt }: MessageLink): string =>
  `<p ${styled("text")}>${anchor(url, title)} (until ${escapeHtml(instant(expiresAt))})</p>`;

const footerHtml = ({ footer, unsubscribeUrl }: NewMail): string =>
  `<p ${styled("muted")}>${lines(footer)}${unsubscribeUrl === null ? "" : ` ${anchor(unsubscribeUrl, "Unsubscribe")}`}</p>`;

/** Tables lay a mail out, since some mail programs know nothing else. */
function pageHtml(title: string, rows: readonly string[]): string {
  const cells = rows.map((html) => `<tr><td ${styled("cell")}>${html}</td></tr>`).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${HEAD_STYLES}
</style>
</head>
<body ${styled("page")}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${styled("page")}><tr><td align="center" style="padding:16px 8px">
<table role="presentation" cellpadding="0" cellspacing="0" ${styled("frame")}>
${cells}
</table>
</td></tr></table>
</body>
</html>
`;
}
