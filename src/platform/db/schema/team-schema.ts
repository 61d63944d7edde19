// The D1 tables of teams on their way out, and of signing in. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Right } from "../../../core/scope.ts";
import { dated, ofTeam } from "./shared-columns.ts";

/** How a person signs in. */
export const SIGN_IN_METHODS = ["key", "link", "passkey", "oidc", "access"] as const;

export const teamRemovals = sqliteTable("team_removals", {
  teamId: text("team_id").primaryKey(),
  id: text("id").notNull(),
  createdAt: text("created_at").notNull(),
  nextTryAt: text("next_try_at").notNull(),
});

export const magicLinks = sqliteTable("magic_links", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  tokenHash: text("token_hash").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: text("expires_at").notNull(),
  keyId: text("key_id"),
  sessionId: text("session_id"),
});

export const sessions = sqliteTable("sessions", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  keyId: text("key_id"),
  tokenHash: text("token_hash").notNull(),
  method: text("method", { enum: SIGN_IN_METHODS }).notNull(),
  userAgent: text("user_agent"),
  createdAt: text("created_at").notNull(),
  usedAt: text("used_at").notNull(),
  expiresAt: text("expires_at").notNull(),
  endedAt: text("ended_at"),
});

/** Its primary key has two columns. */
export const signInTries = sqliteTable("sign_in_tries", {
  subject: text("subject").primaryKey(),
  spanAt: text("span_at").primaryKey(),
  tries: integer("tries").notNull(),
});

export const passkeys = sqliteTable("passkeys", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  name: text("name").notNull(),
  credentialId: text("credential_id").notNull(),
  publicKey: text("public_key").notNull(),
  uses: integer("uses").notNull(),
  transports: text("transports", { mode: "json" }).$type<string[]>().notNull(),
  host: text("host").notNull(),
  createdAt: text("created_at").notNull(),
  usedAt: text("used_at"),
});

export const spentChallenges = sqliteTable("spent_challenges", {
  challengeHash: text("challenge_hash").primaryKey(),
  expiresAt: text("expires_at").notNull(),
});

export const identityProviders = sqliteTable("identity_providers", {
  ...ofTeam,
  name: text("name").notNull(),
  issuer: text("issuer").notNull(),
  clientId: text("client_id").notNull(),
  sealedSecret: text("sealed_secret"),
  vaultKeyId: text("vault_key_id"),
  ...dated,
});

/** What says that a domain is a team's. */
export const DOMAIN_PROOFS = ["dns", "operator"] as const;

export const teamDomains = sqliteTable("team_domains", {
  ...ofTeam,
  domain: text("domain").notNull(),
  token: text("token").notNull(),
  createdAt: text("created_at").notNull(),
  provenAt: text("proven_at"),
  provenBy: text("proven_by", { enum: DOMAIN_PROOFS }),
});

export const identities = sqliteTable("identities", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  issuer: text("issuer").notNull(),
  subject: text("subject").notNull(),
  createdAt: text("created_at").notNull(),
  usedAt: text("used_at"),
  consentedAt: text("consented_at"),
});

export const agentAuthorizations = sqliteTable("agent_authorizations", {
  ...ofTeam,
  userId: text("user_id").notNull(),
  sessionId: text("session_id"),
  clientId: text("client_id").notNull(),
  clientName: text("client_name").notNull(),
  scopes: text("scopes", { mode: "json" }).$type<Right[]>().notNull(),
  generation: integer("generation").notNull(),
  createdAt: text("created_at").notNull(),
  usedAt: text("used_at"),
  expiresAt: text("expires_at").notNull(),
});
