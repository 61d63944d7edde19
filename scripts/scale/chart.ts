// The picture of the page: with how many teams each limit is reached, on a logarithmic axis.

import { REACHED } from "./reached.ts";
import { about, exact } from "./table.ts";

export const CHART = "docs/operating/scale.svg";

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [860, 390, 90, 26, 34];
const [FROM, TO] = [10, 1e6];
/** Colours have a middle lightness, to be read on white and on black. */
const COLOURS = { setting: "#8a8a8a", Cloudflare: "#d9722e", bound: "#3f87c9" } as const;
const TEXT = "#7d7d7d";

const xOf = (teams: number): number =>
  LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(Math.min(TO, Math.max(FROM, teams)) / FROM)) / Math.log10(TO / FROM);

export function renderChart(): string {
  const height = TOP + REACHED.length * ROW + 14;
  const ticks = Array.from({ length: Math.log10(TO / FROM) + 1 }, (_, at) => FROM * 10 ** at);
  const lines = ticks.map(
    (teams) =>
      `<line x1="${xOf(teams).toFixed(1)}" x2="${xOf(teams).toFixed(1)}" y1="${TOP - 6}" y2="${height - 8}" stroke="${TEXT}" stroke-opacity="0.35"/>` +
      `<text x="${xOf(teams).toFixed(1)}" y="${TOP - 14}" text-anchor="middle">${exact(teams)}</text>`,
  );
  const bars = REACHED.map(({ limit, kind, teams }, at) => {
    const y = TOP + at * ROW;
    const x = xOf(teams);
    return (
      `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${escape(limit.replaceAll("`", ""))}</text>` +
      `<rect x="${LEFT}" y="${y + 2}" width="${(x - LEFT).toFixed(1)}" height="16" rx="2" fill="${COLOURS[kind]}"/>` +
      `<text x="${(x + 6).toFixed(1)}" y="${y + 14}">${about(teams)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="${TEXT}" role="img">
<title>With how many ordinary teams each limit is reached</title>
${[...lines, ...bars].join("\n")}
</svg>
`;
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
