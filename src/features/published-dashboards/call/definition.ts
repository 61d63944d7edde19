// A reader is told of a published dashboard what to draw, and what each dataset may be asked with. Neither what is
// asked nor values that are fixed are in it. Pure.

import { z } from "@hono/zod-openapi";
import type { Tile } from "../../../../kernel/docs/dashboard.ts";
import { PARAMETER_TYPES } from "../../../../kernel/wire/parameter-types.ts";
import type { PublicationRow } from "../../publications/publication.ts";
import { pickParameters } from "../content.ts";
import type { BoundContent } from "./bound-content.ts";

const drawn = z.record(z.string(), z.unknown());

const OpenParameter = z
  .object({ type: z.enum(PARAMETER_TYPES), list: z.boolean(), nullable: z.boolean(), default: z.unknown() })
  .openapi("OpenParameter");

export const DashboardDefinition = z
  .object({
    success: z.literal(true),
    name: z.string(),
    title: z.string(),
    version: z.int().openapi({ description: "Of the doc, as it was published." }),
    filters: z
      .array(drawn)
      .openapi({ description: "Those that a reader may set, as a doc's, see `/schemas/doc-2025-01.json`." }),
    layout: z.object({ columns: z.int().optional(), tiles: z.array(drawn) }).openapi("DashboardLayout"),
    datasets: z.record(
      z.string(),
      z
        .object({
          answers: z
            .boolean()
            .openapi({ description: "False of what only the doc's runs compute, such as datasets of Python." }),
          parameters: z
            .record(z.string(), OpenParameter)
            .openapi({ description: "What may be sent for it; neither closed parameters nor those of the token." }),
        })
        .openapi("DashboardDataset"),
    ),
    pages: z
      .record(z.string(), z.string())
      .openapi({ description: "The pages of HTML tiles, by the tile's id: files as they were when it was published." }),
  })
  .openapi("DashboardDefinition");
export type DashboardDefinition = z.infer<typeof DashboardDefinition>;

export function definitionOf(
  { name, subjectVersion }: Pick<PublicationRow, "name" | "subjectVersion">,
  { content: { title, drawn, datasets, pages = {} }, isOpen, isOpenFilter }: BoundContent,
): DashboardDefinition {
  return {
    success: true,
    name,
    title,
    version: subjectVersion,
    filters: drawn.filters.filter(isOpenFilter),
    layout: { ...drawn.layout, tiles: drawn.layout.tiles.map(withoutFile) },
    pages,
    datasets: Object.fromEntries(
      Object.entries(datasets).map(([key, dataset]) => {
        const open = Object.entries(pickParameters(dataset?.question.parameters ?? {}, isOpen));
        const parameters = open.map(([parameter, { type, list, nullable, default: preset }]) => {
          const shown = { type: type === "inferred" ? ("text" as const) : type, list, nullable, default: preset };
          return [parameter, shown] as const;
        });
        return [key, { answers: dataset !== null, parameters: Object.fromEntries(parameters) }];
      }),
    ),
  };
}

/** Where a tile's page lies in the drive is nothing to its readers. */
const withoutFile = (tile: Tile): Record<string, unknown> =>
  tile.type === "html" ? Object.fromEntries(Object.entries(tile).filter(([name]) => name !== "driveFile")) : tile;
