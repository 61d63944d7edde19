// The noun: a published dashboard, a doc's at one version. Pure.

import { z } from "@hono/zod-openapi";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import { PARAMETER_LIMITS } from "../../core/parameters.ts";
import { ParameterName } from "../../http/request/parameters.ts";
import {
  auditedPublication,
  NEW_PUBLICATION_SETTINGS,
  PUBLICATION_FIELDS,
  PUBLICATION_SETTINGS,
  PublicationId,
  shownPublication,
  type PublicationRow,
} from "../publications/publication.ts";
import { FrameAncestors } from "./frame-ancestors.ts";

const DocVersion = z
  .int()
  .min(1)
  .openapi({ description: "Of the doc. When absent, the newest; a later one is published by a change." });

const OpenParameters = z
  .array(ParameterName)
  .max(PARAMETER_LIMITS.parametersMax)
  .refine((names) => new Set(names).size === names.length, "A parameter is named twice.")
  .openapi({
    description:
      "Parameters of datasets that a reader may send a value for, unless a token binds it. The others have the doc's " +
      "values, or a token's.",
  });

export const NewPublishedDashboard = z
  .strictObject({
    doc_id: PublicationId,
    doc_version: DocVersion.optional(),
    ...NEW_PUBLICATION_SETTINGS,
    frame_ancestors: FrameAncestors.default([]),
    open_parameters: OpenParameters.default([]),
  })
  .openapi("NewPublishedDashboard", {
    example: {
      name: "orders",
      doc_id: "0198f3c2-0000-7000-8000-000000000001",
      role_id: "0198f3c2-0000-7000-8000-000000000002",
      frame_ancestors: ["https://portal.example.com"],
    },
  });
export type NewPublishedDashboard = z.infer<typeof NewPublishedDashboard>;

export const PublishedDashboardPatch = z
  .strictObject({
    doc_id: PublicationId,
    doc_version: DocVersion,
    ...PUBLICATION_SETTINGS,
    frame_ancestors: FrameAncestors,
    open_parameters: OpenParameters,
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("PublishedDashboardPatch", { example: { doc_version: 2 } });
export type PublishedDashboardPatch = z.infer<typeof PublishedDashboardPatch>;

export const PublishedDashboard = z
  .object({
    ...PUBLICATION_FIELDS,
    doc_id: z.uuid(),
    doc_version: z.int(),
    frame_ancestors: z.array(z.string()),
    open_parameters: z.array(z.string()),
  })
  .openapi("PublishedDashboard");
export type PublishedDashboard = z.infer<typeof PublishedDashboard>;

export const shownDashboard = (row: PublicationRow): PublishedDashboard => ({
  ...shownPublication(row),
  doc_id: row.subjectId,
  doc_version: row.subjectVersion,
  frame_ancestors: row.frameAncestors ?? [],
  open_parameters: row.openParameters ?? [],
});

/** The audit log's facts of a published dashboard. */
export const auditedDashboard = (row: PublicationRow): AuditFacts => ({
  ...auditedPublication(row),
  doc_id: row.subjectId,
  doc_version: row.subjectVersion,
  frame_ancestors: row.frameAncestors,
  open_parameters: row.openParameters,
});
