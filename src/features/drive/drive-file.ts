// The noun: a file of the team's drive, on the wire.

import { z } from "@hono/zod-openapi";
import { DRIVE_LIMITS } from "./limits.ts";
import type { Bucket, StoredObject } from "../../platform/bucket/bucket.ts";
import { driveKeyPrefix } from "./object-key.ts";

const locations = {
  gcs_path: z
    .string()
    .openapi({
      description: "Where the file is stored; what `read_csv`, `read_parquet` and `read_json` take.",
      example: "gs://fjord/0198c0de-0000-7000-8000-000000000001/drive/reports/may.csv",
    }),
  drive_path: z
    .string()
    .openapi({ description: "Where sandboxes see the file.", example: "/home/user/drive/reports/may.csv" }),
};

export const DriveFile = z
  .object({
    path: z.string(),
    bytes: z.number().int(),
    etag: z.string().openapi({ description: "Another content has another one." }),
    modified_at: z.iso.datetime(),
    ...locations,
  })
  .openapi("DriveFile");
export type DriveFile = z.infer<typeof DriveFile>;

export const DrivePath = z
  .string()
  .openapi({
    description:
      `Relative to the drive's root, with forward slashes, of at most ${DRIVE_LIMITS.pathCharactersMax} ` +
      "characters. No `..`, no leading or trailing slash, no backslash, no empty segment, none of one " +
      "dot, no control character, no line or paragraph separator. Taken literally: `%20` is three characters, and names that differ in " +
      "Unicode normalisation are two.",
    example: "reports/may.csv",
  });

export const NewUploadUrl = z
  .strictObject({
    path: DrivePath.nullish().openapi({
      type: "string",
      maxLength: DRIVE_LIMITS.pathCharactersMax,
      description: "Required, but for a temporary file: the platform picks that one's path.",
    }),
    temporary: z
      .boolean()
      .nullish()
      .openapi({
        description:
          "The platform picks the path, `_tmp/<date>/<uuid>/<name>`, and removes the file when its time is over.",
      }),
    ttl_days: z
      .number()
      .int()
      .min(1)
      .max(DRIVE_LIMITS.ttlDaysMax)
      .nullish()
      .openapi({ description: `Of a temporary file; ${DRIVE_LIMITS.ttlDaysDefault} when absent.` }),
    filename_hint: z
      .string()
      .max(DRIVE_LIMITS.pathCharactersMax)
      .nullish()
      .openapi({ description: "What a temporary file's name should be." }),
  })
  .openapi("NewUploadUrl", { example: { path: "reports/may.csv" } });
export type NewUploadUrl = z.infer<typeof NewUploadUrl>;

const headers = z.record(z.string(), z.string()).openapi({ description: "Headers the PUT must carry: none." });

export const UploadUrl = z
  .object({
    upload_url: z.string().openapi({ description: "Takes a PUT of the content, for 60 minutes." }),
    ...locations,
    headers,
    expires_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When a temporary file is removed; `null` for one that stays." }),
    upload_url_expires_at: z.iso.datetime(),
  })
  .openapi("UploadUrl");
export type UploadUrl = z.infer<typeof UploadUrl>;

export const NewDownloadUrl = z
  .strictObject({ path: DrivePath })
  .openapi("NewDownloadUrl", { example: { path: "reports/may.csv" } });

export const DownloadUrl = z
  .object({ download_url: z.string(), download_url_expires_at: z.iso.datetime(), file: DriveFile })
  .openapi("DownloadUrl");

export const NewMultipartUpload = z
  .strictObject({ path: DrivePath })
  .openapi("NewMultipartUpload", { example: { path: "exports/orders.parquet" } });

export const MultipartUpload = z
  .object({
    upload_id: z.uuid(),
    path: z.string(),
    ...locations,
    part_bytes_min: z
      .number()
      .int()
      .openapi({ description: "Of every part but the last. All but the last are of one size." }),
    part_bytes_max: z.number().int(),
    parts_max: z.number().int(),
    expires_at: z.iso.datetime().openapi({ description: "When an upload that is not completed is given up." }),
  })
  .openapi("MultipartUpload");
export type MultipartUpload = z.infer<typeof MultipartUpload>;

const partNumber = z.number().int().min(1).max(DRIVE_LIMITS.partsMax);

export const PartNumbers = z
  .strictObject({ part_numbers: z.array(partNumber).min(1).max(DRIVE_LIMITS.partsPerSigningMax) })
  .openapi("PartNumbers", { example: { part_numbers: [1, 2] } });

const PartUrl = z.object({ part_number: z.number().int(), upload_url: z.string() }).openapi("PartUrl");

export const PartUrls = z
  .object({ parts: z.array(PartUrl), headers, upload_url_expires_at: z.iso.datetime() })
  .openapi("PartUrls");
export type PartUrls = z.infer<typeof PartUrls>;

export const UploadedParts = z
  .strictObject({
    parts: z
      .array(
        z.strictObject({
          part_number: partNumber,
          etag: z
            .string()
            .min(1)
            .max(200)
            .openapi({ description: "The `ETag` that the part's PUT was answered with." }),
        }),
      )
      .min(1)
      .max(DRIVE_LIMITS.partsMax),
  })
  .openapi("UploadedParts", { example: { parts: [{ part_number: 1, etag: "9b2cf535f27731c974343645a3985328" }] } });
export type UploadedParts = z.infer<typeof UploadedParts>;

/** The `gcs_path` of each of the team's files begins with this. */
export const driveRoot = (bucket: string, teamId: string): string => `gs://${bucket}/${driveKeyPrefix(teamId)}`;

/** Where a file is, as each side calls it. */
export const locationsOf = ({ name }: Pick<Bucket, "name">, teamId: string, path: string) => ({
  gcs_path: driveRoot(name, teamId) + path,
  drive_path: `/home/user/drive/${path}`,
});

/** A file, made from the bucket's facts of its object. */
export const driveFileOf = (
  bucket: Pick<Bucket, "name">,
  teamId: string,
  path: string,
  object: StoredObject,
): DriveFile => ({
  path,
  bytes: object.size,
  etag: object.etag,
  modified_at: object.uploaded.toISOString(),
  ...locationsOf(bucket, teamId, path),
});
