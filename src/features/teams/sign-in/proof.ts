// A sign-in takes a proof: what a person shows, and the user it proves them to be.

import { z } from "@hono/zod-openapi";
import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AuditScope } from "../../../platform/db/audit.ts";
import { OidcAnswer } from "../identities/identity.ts";
import { PasskeyAnswer } from "../passkeys/passkey.ts";
import type { SignInMethod } from "../sessions/session.ts";
import type { SessionRow } from "../sessions/store.ts";

const ByKey = z
  .strictObject({ api_key: z.string().min(1).max(200) })
  .openapi("SignInByKey", { description: "By an API key: the session has its scopes, and ends with it." });
const ByLink = z
  .strictObject({ link: z.string().min(1).max(200) })
  .openapi("SignInByLink", { description: "By what a link that signs in has behind its `#`. It works once." });

/** What an address may bring in its fragment. */
export const SignInCredential = z.union([ByKey, ByLink]).openapi("SignInCredential", { example: { link: "…" } });
export type SignInCredential = z.infer<typeof SignInCredential>;

const ByPasskey = z
  .strictObject({ passkey: PasskeyAnswer })
  .openapi("SignInByPasskey", { description: "By what one of the browser's passkeys has signed." });

const ByOidc = z
  .strictObject({ oidc: OidcAnswer })
  .openapi("SignInByOidc", { description: "By what a team's identity provider has sent this browser back with." });

const ByAccess = z
  .strictObject({
    access: z.literal(true),
    team_id: z.uuid().optional().openapi({ description: "Which team's user, where several have the address." }),
  })
  .openapi("SignInByAccess", {
    description: "By what Cloudflare Access, where the platform is behind it, says of this request.",
  });

export const NewSession = z
  .union([ByKey, ByLink, ByPasskey, ByOidc, ByAccess])
  .openapi("NewSession", { example: { link: "…" } });
export type NewSession = z.infer<typeof NewSession>;

/** Who has proven to be whom, and how. */
export type Proof = {
  method: SignInMethod;
  teamId: string;
  userId: string;
  /** The key that was shown, with its end. */
  key?: { id: string; expiresAt: string | null };
  /** True in SQL as long as the proof is good; absent where nothing but user and key decides. */
  when?: SQL;
  /** What uses the proof up once the session is written: it rides in the session's batch. */
  spend?(session: SessionRow, audit: AuditScope): BatchItem<"sqlite">[];
};
