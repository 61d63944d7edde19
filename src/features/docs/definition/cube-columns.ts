// The columns that a cube dataset answers, which its query says by itself. Pure.

import type { KnownColumns } from "../../../../kernel/docs/check-fields.ts";
import { listOf } from "../../../../kernel/text/list-of.ts";
import { cubeQueryOf } from "../runs/plan/cube-query.ts";
import type { Dataset } from "./definition.ts";

type CubeDataset = Extract<Dataset, { engine: "cube" }>;

/** In the order of Cube's SELECT: dimensions, times that are grouped, measures. */
export function columnsOfCube(dataset: CubeDataset): KnownColumns {
  const { dimensions, timeDimensions, measures } = cubeQueryOf(dataset);
  const times = listOf(timeDimensions) as Record<string, unknown>[];
  const grouped = times.flatMap(({ dimension, granularity }) =>
    typeof dimension === "string" && typeof granularity === "string" ? [{ dimension, granularity }] : [],
  );
  const names = [
    ...textsOf(dimensions),
    ...grouped.map(({ dimension, granularity }) => `${dimension}.${granularity}`),
    ...textsOf(measures),
  ];
  const short = names.map((name) => name.slice(name.indexOf(".") + 1));
  const compared = times.some((time) => "compareDateRange" in time) ? ["compareDateRange"] : [];
  return { names, alsoNamed: [...short, ...grouped.map(({ dimension }) => dimension), ...compared] };
}
const textsOf = (value: unknown): string[] => listOf(value).filter((one): one is string => typeof one === "string");
