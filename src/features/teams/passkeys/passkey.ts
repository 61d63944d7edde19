// The noun: a passkey, a key pair on a person's device. The platform keeps the public half.

import { z } from "@hono/zod-openapi";
import { Problem } from "../../../core/problem.ts";
import { isLoopback } from "../../../core/public-url.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { Name } from "../team.ts";

export const Passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    host: z.string().openapi({ description: "The host that it is for: browsers use it nowhere else." }),
    created_at: z.iso.datetime(),
    used_at: z.iso.datetime().nullable().openapi({ description: "When it last signed in; null: never yet." }),
  })
  .openapi("Passkey");
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyChallenge = z
  .object({
    token: z.string().openapi({ description: "To be sent back with what the browser answers, within ten minutes." }),
    options: z
      .record(z.string(), z.unknown())
      .openapi({ description: "What `PublicKeyCredential.parse…OptionsFromJSON` of a browser takes." }),
  })
  .openapi("PasskeyChallenge");
export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>;

const Bytes = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/)
  .openapi({ description: "Base64url." });
const Credential = z.object({ id: Bytes.max(1_400), rawId: Bytes.max(1_400), type: z.literal("public-key") });

/** What `toJSON` of a new credential gives; members that are not named here are left out. */
export const NewPasskey = z
  .strictObject({
    name: Name,
    token: z.string().max(2_000),
    response: Credential.extend({
      response: z.object({
        clientDataJSON: Bytes,
        attestationObject: Bytes,
        transports: z.array(z.string().max(50)).max(10).default([]),
      }),
    }),
  })
  .openapi("NewPasskey");
export type NewPasskey = z.infer<typeof NewPasskey>;

export const PasskeyAnswer = z
  .strictObject({
    token: z.string().max(2_000),
    response: Credential.extend({
      response: z.object({
        clientDataJSON: Bytes,
        authenticatorData: Bytes,
        signature: Bytes,
        userHandle: Bytes.max(200).nullish(),
      }),
    }),
  })
  .openapi("PasskeyAnswer", { description: "What `toJSON` of a credential that signed gives, with its token." });
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

const ADDRESS = /^[\d.]+$|^\[/;

/** Whether browsers make passkeys for the host: it has a name, and is asked by https or is this machine. */
export const takesPasskeys = (url: URL): boolean =>
  !ADDRESS.test(url.hostname) && (url.protocol === "https:" || isLoopback(url));

/** Throws 400 where browsers make no passkeys. */
export function requirePasskeyHost(request: Request): { host: string; origin: string } {
  const url = new URL(request.url);
  if (takesPasskeys(url)) return { host: url.hostname, origin: url.origin };
  throw new Problem(
    "invalid_request",
    "Browsers have passkeys for names of hosts alone, by https: open the platform by its name, or as http://localhost.",
  );
}

/** The audit log's facts of a passkey. */
export const auditedPasskey = (userId: string, { name, host }: Pick<Passkey, "name" | "host">): AuditFacts => ({
  user_id: userId,
  name,
  host,
});
