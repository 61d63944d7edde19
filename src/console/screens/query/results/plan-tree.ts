// DuckDB's drawing of a plan read back as a tree. Pure.

export type PlanNode = { title: string; details: string[]; rows?: number; seconds?: number; children: PlanNode[] };

type Box = { node: PlanNode; x: number; band: number };

/**
 * Boxes stand in bands, one below the other. A box belongs to the nearest one above that does not begin further right:
 * the first child stands right below its parent, others to the right of what is below the first.
 */
export function planTree(drawing: string): PlanNode[] {
  const lines = drawing.split("\n");
  const boxes: Box[] = [];
  let band = 0;
  for (let top = 0; top < lines.length; top++) {
    const starts = [...lines[top]!.matchAll(/┌─+[┴─]*┐/g)];
    if (starts.length === 0 || !lines[top + 1]?.includes("│")) continue;
    // The frame around the whole is two boxes, one within the other; it is no part of the plan.
    if (/^│[│┌]/.test(lines[top + 1]!)) continue;
    for (const { index, 0: edge } of starts) {
      const node = readBox(lines.slice(top + 1), index, edge.length);
      if (node) boxes.push({ node, x: index, band });
    }
    band++;
  }
  const roots: PlanNode[] = [];
  for (const box of boxes) {
    const above = boxes.filter((other) => other.band === box.band - 1 && other.x <= box.x + 1);
    const parent = above.sort((a, b) => b.x - a.x)[0];
    (parent?.node.children ?? roots).push(box.node);
  }
  return roots.flatMap(withoutWrappers);
}

/** Parts that say only that a plan was asked for. */
const WRAPPERS = new Set(["QUERY", "EXPLAIN_ANALYZE", "EXPLAIN"]);
const withoutWrappers = (node: PlanNode): PlanNode[] =>
  WRAPPERS.has(node.title) ? node.children.flatMap(withoutWrappers) : [node];

function readBox(lines: readonly string[], x: number, width: number): PlanNode | undefined {
  const texts: string[] = [];
  for (const line of lines) {
    const part = line.slice(x, x + width);
    if (part.startsWith("└")) break;
    texts.push(
      part
        .replace(/^[│├]|[│┤]$/g, "")
        .replace(/[├┤│─]+$/, "")
        .trim(),
    );
  }
  const [title, ...rest] = texts.filter((text) => text !== "" && !/^[─\s]+$/.test(text));
  if (title === undefined || title === "" || title.startsWith("┌")) return undefined;
  const node: PlanNode = { title, details: [], children: [] };
  for (const text of rest) {
    const rows = /^~?([\d,]+) rows?$/i.exec(text);
    const time = /^\(?(?:[<~]?\s*)([\d.]+)s\)?$/.exec(text);
    if (rows) node.rows = Number(rows[1]!.replaceAll(",", ""));
    else if (time) node.seconds = Number(time[1]);
    else node.details.push(text);
  }
  return node;
}
