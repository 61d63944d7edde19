// The datasets of a doc as a graph: what each is made from stands to its left. A dataset's state colours its edge.

import type { Tone } from "../data/values.tsx";
import { layOutGraph, type GraphNode } from "./graph-layout.ts";
import styles from "./dataset-graph.module.css";

/** `note` is a second line: what the dataset becomes, and how its tests went. */
export type ShownDataset = GraphNode & { tone: Tone; note: string; onOpen?: () => void };

const WIDTH = 190;
const HEIGHT = 48;
const GAP = { x: 56, y: 16 };
const TEXT_MAX = 24;

export function DatasetGraph({ datasets }: { datasets: readonly ShownDataset[] }) {
  const places = layOutGraph(datasets);
  const at = (key: string) => {
    const { column, row } = places.get(key)!;
    return { x: column * (WIDTH + GAP.x) + 2, y: row * (HEIGHT + GAP.y) + 2 };
  };
  const all = [...places.values()];
  const width = (Math.max(0, ...all.map(({ column }) => column)) + 1) * (WIDTH + GAP.x) - GAP.x + 4;
  const height = (Math.max(0, ...all.map(({ row }) => row)) + 1) * (HEIGHT + GAP.y) - GAP.y + 4;
  return (
    <div className={styles.frame}>
      <svg width={width} height={height} role="group" aria-label="Datasets and what they are made from">
        {datasets.flatMap(({ key, needs }) =>
          needs
            .filter((need) => places.has(need))
            .map((need) => {
              const [from, to] = [at(need), at(key)];
              const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
              const bend = (x1 + x2) / 2;
              return (
                <path
                  key={`${need} ${key}`}
                  className={styles.edge}
                  d={`M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`}
                />
              );
            }),
        )}
        {datasets.map(({ key, needs, tone, note, onOpen }) => (
          <g
            key={key}
            transform={`translate(${at(key).x} ${at(key).y})`}
            className={styles.node}
            data-tone={tone}
            role="button"
            tabIndex={0}
            aria-disabled={!onOpen}
            aria-label={`${key}: ${note}${needs.length > 0 ? `; made from ${needs.join(", ")}` : ""}`}
            onClick={onOpen}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              onOpen?.();
            }}
          >
            <title>{`${key}\n${note}`}</title>
            <rect width={WIDTH} height={HEIGHT} rx="7" />
            <rect className={styles.mark} width="4" height={HEIGHT} rx="2" />
            <text x="14" y="20">
              {shortened(key)}
            </text>
            <text x="14" y="37" className={styles.note}>
              {shortened(note, TEXT_MAX + 4)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

const shortened = (text: string, max = TEXT_MAX): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
