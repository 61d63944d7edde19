// The noun: a version of a semantic model, and what is sent to make one. Pure.

import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { CREATOR_NAME } from "../../teams/users/user.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";

/** The reader checks the path's other rules, and names them in words. */
const PATH = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

const text = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => value.isWellFormed(), "It has half of a surrogate pair, which is no character.")
    .refine((value) => !value.includes("\0"), "It has a NUL character.");

export const ModelFile = z
  .strictObject({
    path: z
      .string()
      .max(SEMANTIC_LIMITS.pathCharactersMax)
      .regex(PATH, "A path has letters, digits, _, - and . between slashes, and no part begins with - or a dot.")
      .openapi({ example: "cubes/orders.yml" }),
    content: text(SEMANTIC_LIMITS.fileBytesMax).openapi({ description: "YAML 1.2, in Cube's form of models." }),
  })
  .openapi("SemanticModelFile");
export type ModelFile = z.infer<typeof ModelFile>;

const message = text(SEMANTIC_LIMITS.messageCharactersMax)
  .optional()
  .openapi({ description: "For the list of versions: why." });
const expectedVersion = z
  .number()
  .int()
  .min(0)
  .optional()
  .openapi({ description: "The version you have read, 0 for none. 409 where it is another by now." });

export const FILE_EXAMPLE =
  "cubes:\n  - name: orders\n    sql_table: sample.orders\n    measures:\n      - {name: count, type: count}\n";

export const NewModel = z
  .strictObject({
    files: z.array(ModelFile).min(1).max(SEMANTIC_LIMITS.filesMax),
    message,
    expected_version: expectedVersion,
  })
  .openapi("NewSemanticModel", {
    example: { files: [{ path: "cubes/orders.yml", content: FILE_EXAMPLE }], message: "Count orders" },
  });
export type NewModel = z.infer<typeof NewModel>;

export const ModelRestoration = z
  .strictObject({ version: z.number().int().min(1), message, expected_version: expectedVersion })
  .openapi("SemanticModelRestoration", { example: { version: 1 } });
export type ModelRestoration = z.infer<typeof ModelRestoration>;

export const ModelVersion = z
  .object({
    version: z.number().int().openapi({ description: "Counts the model's changes, from 1." }),
    digest: z.string().openapi({ description: "Of the files: equal for equal files, whatever their order." }),
    message: z.string().nullable(),
    restored_from: z.number().int().nullable().openapi({ description: "The version that this one brought back." }),
    created_by: z.uuid(),
    created_at: z.iso.datetime(),
    file_count: z.number().int(),
    bytes: z.number().int(),
  })
  .openapi("SemanticModelVersion");
export type ModelVersion = z.infer<typeof ModelVersion>;

export const ListedModelVersion = ModelVersion.extend(CREATOR_NAME).openapi("ListedSemanticModelVersion");
export type ListedModelVersion = z.infer<typeof ListedModelVersion>;

export const ModelVersionDetail = ModelVersion.extend({
  files: z.array(ModelFile).openapi({ description: "By path, each to the character." }),
}).openapi("SemanticModelVersionDetail");
export type ModelVersionDetail = z.infer<typeof ModelVersionDetail>;

const encoder = new TextEncoder();
export const bytesOf = (value: string): number => encoder.encode(value).length;

/** By path, so that their order makes no difference. */
export const inOrder = (files: readonly ModelFile[]): ModelFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

/** The digest of files in their order. */
export const digestOf = (files: readonly ModelFile[]): Promise<string> =>
  sha256Hex(JSON.stringify(files.map(({ path, content }) => [path, content])));

/** The audit log's facts of a version: its files, which may hold anything, are kept with the model. */
export const auditedModel = ({ version, digest, file_count, bytes, restored_from }: ModelVersion): AuditFacts => ({
  version,
  digest,
  file_count,
  bytes,
  ...(restored_from === null ? {} : { restored_from }),
});
