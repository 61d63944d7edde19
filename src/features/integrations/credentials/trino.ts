// The credentials of a team's own Trino, and when statements go to it.

import { z } from "@hono/zod-openapi";
import { isLoopback } from "../../../core/public-url.ts";
import { RootCertificates } from "./certificates.ts";

const URL_CHARACTERS_MAX = 500;

/** Undefined where a cluster may be there. Whose address the name has is looked at where it is connected to. */
function flawOfClusterUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "Send a whole URL, such as https://trino.example.com.";
  if (url.username !== "" || url.password !== "") return "Send the user and the password apart from the URL.";
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return "Send the URL without a path.";
  // The engine is where this machine is refused, unless the deployment allows it.
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return undefined;
  return "Send a URL that begins with https://.";
}

const text = (charactersMax: number) => z.string().min(1).max(charactersMax);
/** A header carries them. */
const printable = (charactersMax: number) =>
  text(charactersMax).regex(/^[\x20-\x7e]+$/, "Send printable ASCII characters alone.");

const Fields = z.strictObject({
  url: text(URL_CHARACTERS_MAX)
    .superRefine((url, context) => {
      const message = flawOfClusterUrl(url);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .transform((url) => (URL.canParse(url) ? new URL(url).origin : url))
    .openapi({ description: "Of the cluster's coordinator, by `https`.", example: "https://trino.example.com:8443" }),
  username: printable(200).regex(/^[^:]+$/, "A user's name has no colon."),
  password: z.string().max(1_024).optional(),
  token: printable(8_192).optional().openapi({ description: "A bearer's token, in place of the password." }),
  catalog: text(128)
    .regex(/^[a-z][a-z0-9_]*$/, "Send the catalog's name: lower-case letters, digits and underscores.")
    .openapi({ description: "What the cluster calls the lake's catalog.", example: "lake" }),
  sslrootcert: RootCertificates,
});

export const TrinoCredentials = Fields.refine(({ password, token }) => password === undefined || token === undefined, {
  path: ["token"],
  message: "Send a password or a token, not both.",
}).openapi("TrinoCredentials");
export type TrinoCredentials = z.infer<typeof TrinoCredentials>;

const AboveBytes = z
  .int()
  .min(0)
  .nullable()
  .openapi({
    description: "A statement that is to read more goes to the cluster, by `auto`; null: no number of bytes does.",
  });
const AfterMemoryFailure = z
  .boolean()
  .openapi({ description: "Whether one that DuckDB had too little memory for goes to the cluster, by `auto`." });

export const TrinoRoute = z
  .strictObject({ above_bytes: AboveBytes.default(null), after_memory_failure: AfterMemoryFailure.default(false) })
  .openapi("TrinoRoute");
export const TrinoRoutePatch = z
  .strictObject({ above_bytes: AboveBytes, after_memory_failure: AfterMemoryFailure })
  .partial()
  .openapi("TrinoRoutePatch");
export type TrinoRoute = z.infer<typeof TrinoRoute>;

/** What of them a listing shows, as texts. */
export const trinoDetails = (
  { url, username, catalog }: TrinoCredentials,
  lakeId: string,
  { above_bytes: above, after_memory_failure: after }: TrinoRoute,
): Record<string, string> => ({
  ...{ url, username, catalog, lake_id: lakeId },
  ...(above !== null && { above_bytes: String(above) }),
  after_memory_failure: String(after),
});
