// The client of mail: one mail to one address, by Cloudflare's `send_email` binding or into the local outbox.

import { EmailMessage } from "cloudflare:email";
import type { Sent } from "../../core/messages.ts";
import type { Bucket } from "../bucket/bucket.ts";
import { MAIL_BYTES_MAX, type Mail, type Sender } from "./mail.ts";
import { mimeOf } from "./mime.ts";
import { openOutbox, type MailOutbox } from "./outbox.ts";

/** How mail is set up: not at all, by the binding, or, on a developer's machine, into the outbox. */
export const MAIL_KINDS = ["none", "binding", "outbox"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export type MailClient = {
  kind: MailKind;
  /** Never throws. */
  send(mail: Mail): Promise<Sent>;
  /** Only where {@link kind} is `outbox`. */
  outbox: MailOutbox | undefined;
};

export type MailEnv = Pick<Env, "MAIL" | "MAIL_FROM" | "MAIL_OUTBOX" | "PLATFORM_URL">;

const ANSWER_MS = 30_000;

const NOT_SET_UP = "Mail is not set up on this platform.";

export function openMail(env: MailEnv, bucket: Bucket): MailClient {
  const kind = kindOf(env);
  const outbox = kind === "outbox" ? openOutbox(bucket) : undefined;
  const transports: Record<MailKind, (mail: Mail, raw: string, from: Sender) => Promise<Sent>> = {
    none: async () => ({ kind: "refused", error: NOT_SET_UP }),
    binding: (mail, raw, from) => sendByBinding(env.MAIL!, mail, raw, from),
    outbox: async (mail, raw) => {
      await outbox!.keep(mail, raw);
      return { kind: "sent", reference: mail.id };
    },
  };
  return {
    kind,
    outbox,
    async send(mail) {
      const from = senderOf(env);
      if (kind === "none" || !from) return { kind: "refused", error: NOT_SET_UP };
      let raw: string;
      try {
        raw = mimeOf(mail, from);
      } catch (error) {
        console.error(JSON.stringify({ event: "mail_not_built", id: mail.id, cause: String(error) }));
        return { kind: "refused", error: "No mail could be made of this message." };
      }
      if (raw.length > MAIL_BYTES_MAX)
        return { kind: "refused", error: `A mail may have ${MAIL_BYTES_MAX / 1024 / 1024} MiB with its files.` };
      return transports[kind](mail, raw, from).catch((error: unknown): Sent => {
        console.error(JSON.stringify({ event: "mail_outcome_unknown", id: mail.id, cause: String(error) }));
        return { kind: "unknown", error: "The platform did not learn whether the mail was taken." };
      });
    },
  };
}

/** The outbox is for a platform on its developer's machine alone: one that answers by HTTPS has none. */
function kindOf(env: MailEnv): MailKind {
  if (senderOf(env) === undefined) return "none";
  if (env.MAIL_OUTBOX === "yes" && env.PLATFORM_URL.startsWith("http://")) return "outbox";
  return env.MAIL ? "binding" : "none";
}

/** `fjord@example.com`, or with a name before it: `Fjord <fjord@example.com>`. */
function senderOf({ MAIL_FROM: setting = "" }: MailEnv): Sender | undefined {
  const [, name = "", address] = /^(?:([^<>"\r\n]*)<)?([\w.+-]+@[A-Za-z0-9.-]+)>?$/.exec(setting.trim()) ?? [];
  return address === undefined ? undefined : { name: name.trim() || null, address };
}

async function sendByBinding(binding: SendEmail, mail: Mail, raw: string, from: Sender): Promise<Sent> {
  const { promise: silence, resolve: giveUp } = Promise.withResolvers<Sent>();
  const error = `No answer came within ${ANSWER_MS / 1_000} s.`;
  const timer = setTimeout(() => giveUp({ kind: "unknown", error }), ANSWER_MS);
  const sending = binding.send(new EmailMessage(from.address, mail.to, raw)).then(
    (result): Sent => ({ kind: "sent", reference: result?.messageId ?? null }),
    (error: unknown): Sent => sentOf(error),
  );
  return Promise.race([sending, silence]).finally(() => clearTimeout(timer));
}

/** The codes by which Cloudflare says that it has not taken a mail, and whether it may take it later. */
const CODES: Record<string, "refused" | "failed"> = {
  E_VALIDATION_ERROR: "refused",
  E_FIELD_MISSING: "refused",
  E_TOO_MANY_RECIPIENTS: "refused",
  E_SENDER_NOT_VERIFIED: "failed",
  E_SENDER_DOMAIN_NOT_AVAILABLE: "failed",
  E_RECIPIENT_NOT_ALLOWED: "refused",
  E_RECIPIENT_SUPPRESSED: "refused",
  E_CONTENT_TOO_LARGE: "refused",
  E_DELIVERY_FAILED: "failed",
  E_RATE_LIMIT_EXCEEDED: "failed",
  E_DAILY_LIMIT_EXCEEDED: "failed",
  E_INTERNAL_SERVER_ERROR: "failed",
  E_HEADER_NOT_ALLOWED: "refused",
  E_HEADER_VALUE_INVALID: "refused",
};

/** Without a code that is known nobody can say whether the mail was taken. */
function sentOf(error: unknown): Sent {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const kind = CODES[code] ?? "unknown";
  console.error(JSON.stringify({ event: "mail_not_sent", kind, code, cause: String(error) }));
  const why = code === "" ? "Cloudflare's mail service failed without a code." : `Cloudflare answered ${code}.`;
  return { kind, error: why };
}
