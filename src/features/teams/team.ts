// The noun: a team, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import { Email } from "../../http/request/email.ts";

export const PLANS = ["free", "trial", "standard", "enterprise"] as const;
export const TEAM_ORDERS = ["created_at", "updated_at", "domain", "plan"] as const;
export type TeamOrder = (typeof TEAM_ORDERS)[number];

export const Team = z
  .object({
    id: z.uuid(),
    name: z.string(),
    domain: z.string().nullable(),
    plan: z.enum(PLANS),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi("Team");
export type Team = z.infer<typeof Team>;

export const Name = z.string().trim().min(1).max(LIMITS.nameCharactersMax);

/** A host name of at least two labels, in lower case. */
export const Domain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    "Send a domain such as example.com.",
  );

export const NewTeam = z
  .strictObject({
    name: Name,
    domain: Domain.nullable().default(null),
    plan: z.enum(PLANS).default("free"),
    admin: z.strictObject({ name: Name, email: Email }),
  })
  .openapi("NewTeam", {
    example: { name: "Acme", domain: "acme.example", plan: "free", admin: { name: "Ada", email: "ada@acme.example" } },
  });
export type NewTeam = z.infer<typeof NewTeam>;

export const TeamPatch = z
  .strictObject({ name: Name, domain: Domain.nullable(), plan: z.enum(PLANS) })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("TeamPatch", { example: { plan: "standard" } });
export type TeamPatch = z.infer<typeof TeamPatch>;

/** The names of the first operator's team and account. */
export const Bootstrap = z
  .strictObject({ team_name: Name, domain: Domain.nullable().default(null), name: Name, email: Email })
  .openapi("Bootstrap", {
    example: { team_name: "Acme", domain: "acme.example", name: "Ada", email: "ada@acme.example" },
  });
export type Bootstrap = z.infer<typeof Bootstrap>;

export function planTeam(now: Date, { name, domain, plan }: Pick<NewTeam, "name" | "domain" | "plan">): Team {
  const at = now.toISOString();
  return { id: newId(now), name, domain, plan, created_at: at, updated_at: at };
}
