// Every statement of addresses, unsubscriptions and the count of mails. A read takes the team first, but for what a
// link's token finds.

import { and, asc, count, eq, gt, lt, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { deleteSome } from "../../platform/db/delete-some.ts";
import { mailAddresses, mailAsks, mailDays, mailUnsubscriptions } from "../../platform/db/schema/message-schema.ts";
import { teams, users } from "../../platform/db/schema/schema.ts";

export type AddressRow = typeof mailAddresses.$inferSelect;
export type ListedAddress = AddressRow & { unsubscribedAt: string | null };

const hasTeam = (teamId: string): SQL =>
  sql`exists (select 1 from ${teams} where id = ${teamId} and deleted_at is null)`;

// ── Recipients ─────────────────────────────────────────────────────────────────────────────────────────────────────

export type RecipientFacts = { address: string; isMember: number; isConfirmed: number; hasUnsubscribed: number };

export const selectRecipients = (db: Db, teamId: string, addresses: readonly string[]): Promise<RecipientFacts[]> =>
  db.all(sql`select a.value as "address",
      exists (select 1 from ${users} u where u.team_id = ${teamId} and u.email = a.value) as "isMember",
      exists (select 1 from ${mailAddresses} m where m.team_id = ${teamId} and m.address = a.value
        and m.confirmed_at is not null) as "isConfirmed",
      exists (select 1 from ${mailUnsubscriptions} n where n.team_id = ${teamId} and n.address = a.value)
        as "hasUnsubscribed"
    from json_each(${JSON.stringify(addresses)}) a`);

// ── Addresses ──────────────────────────────────────────────────────────────────────────────────────────────────────

const isAddress = (teamId: string, id: string): SQL => and(eq(mailAddresses.teamId, teamId), eq(mailAddresses.id, id))!;

/** Finds a mail address by its id, or by itself. */
export const findAddress = (db: Db, teamId: string, by: { id: string } | { address: string }) =>
  db
    .select()
    .from(mailAddresses)
    .where(
      "id" in by
        ? isAddress(teamId, by.id)
        : and(eq(mailAddresses.teamId, teamId), eq(mailAddresses.address, by.address)),
    )
    .get();

export const countAddresses = (db: Db, teamId: string): Promise<number> =>
  db.$count(mailAddresses, eq(mailAddresses.teamId, teamId));

/** In alphabetical order. */
export async function selectAddresses(db: Db, teamId: string, page: Page): Promise<PageOf<ListedAddress>> {
  const ofTeam = eq(mailAddresses.teamId, teamId);
  const [rows, totals] = await db.batch([
    db
      .select({ row: mailAddresses, unsubscribedAt: mailUnsubscriptions.createdAt })
      .from(mailAddresses)
      .leftJoin(
        mailUnsubscriptions,
        and(
          eq(mailUnsubscriptions.teamId, mailAddresses.teamId),
          eq(mailUnsubscriptions.address, mailAddresses.address),
        ),
      )
      .where(ofTeam)
      .orderBy(asc(mailAddresses.address))
      .limit(page.limit)
      .offset(page.offset),
    db.select({ total: count() }).from(mailAddresses).where(ofTeam),
  ]);
  const items = rows.map(({ row, unsubscribedAt }) => ({ ...row, unsubscribedAt }));
  return { items, total: totals[0]!.total, ...page };
}

/** A question to an address; one that was asked before, and has not confirmed, is asked anew. */
export const upsertAddress = (db: Db, { tokenHash, askedAt, expiresAt, ...row }: AddressRow) => {
  const asked = { tokenHash, askedAt, expiresAt };
  return db
    .insert(mailAddresses)
    .values({ ...row, ...asked })
    .onConflictDoUpdate({
      target: [mailAddresses.teamId, mailAddresses.address],
      set: asked,
      setWhere: sql`${mailAddresses.confirmedAt} is null`,
    })
    .returning();
};

/** True in SQL once {@link upsertAddress} has written this question. */
export const hasQuestion = ({ teamId, address, tokenHash }: AddressRow): SQL =>
  sql`exists (select 1 from ${mailAddresses} where team_id = ${teamId} and address = ${address}
    and token_hash = ${tokenHash})`;

/** In SQL: the id of the row that {@link upsertAddress} has written, which may be an earlier one's. */
export const idOfQuestion = ({ teamId, address }: AddressRow): SQL =>
  sql`(select id from ${mailAddresses} where team_id = ${teamId} and address = ${address})`;

export const deleteAddressRow = (db: Db, teamId: string, id: string) =>
  db.delete(mailAddresses).where(isAddress(teamId, id)).returning({ id: mailAddresses.id });

/** The address that a link's token is about, while the link works, with its team. */
export const findAsked = (db: Db, tokenHash: string, at: string) =>
  db
    .select({ teamId: teams.id, teamName: teams.name, address: mailAddresses.address })
    .from(mailAddresses)
    .innerJoin(teams, eq(teams.id, mailAddresses.teamId))
    .where(and(isLive(tokenHash, at), sql`${teams.deletedAt} is null`))
    .get();

const isLive = (tokenHash: string, at: string): SQL =>
  and(eq(mailAddresses.tokenHash, tokenHash), gt(mailAddresses.expiresAt, at))!;

/** The first of two confirmations says when. */
export const confirmAddressRow = (db: Db, tokenHash: string, at: string) =>
  db
    .update(mailAddresses)
    .set({ confirmedAt: sql`coalesce(${mailAddresses.confirmedAt}, ${at})` })
    .where(isLive(tokenHash, at))
    .returning({ id: mailAddresses.id });

// ── Questions, which are rare whichever teams ask ──────────────────────────────────────────────────────────────────

/** Returns the address where it may be asked now, and has been with this. */
export const takeAsk = (db: Db, address: string, at: string, notSince: string) =>
  db
    .insert(mailAsks)
    .values({ address, askedAt: at })
    .onConflictDoUpdate({ target: mailAsks.address, set: { askedAt: at }, setWhere: lt(mailAsks.askedAt, notSince) })
    .returning({ address: mailAsks.address });

/** Gives back what {@link takeAsk} has taken at this instant. */
export const returnAsk = (db: Db, address: string, at: string) =>
  db.delete(mailAsks).where(and(eq(mailAsks.address, address), eq(mailAsks.askedAt, at)));

export const deleteAsksBefore = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, mailAsks.address, lt(mailAsks.askedAt, before), rowsMax).returning({ address: mailAsks.address });

// ── Unsubscriptions ────────────────────────────────────────────────────────────────────────────────────────────────

type Recipient = { teamId: string; address: string };

export const insertUnsubscription = (db: Db, { teamId, address }: Recipient, at: string) =>
  db
    .insert(mailUnsubscriptions)
    .select(sql`select ${teamId}, ${address}, ${at} where ${hasTeam(teamId)}`)
    .onConflictDoNothing();

export const deleteUnsubscription = (db: Db, { teamId, address }: Recipient) =>
  db
    .delete(mailUnsubscriptions)
    .where(and(eq(mailUnsubscriptions.teamId, teamId), eq(mailUnsubscriptions.address, address)));

// ── The team's bound of a day ──────────────────────────────────────────────────────────────────────────────────────

export const countMails = async (db: Db, teamId: string, day: string): Promise<number> =>
  (
    await db
      .select({ mails: mailDays.mails })
      .from(mailDays)
      .where(and(eq(mailDays.teamId, teamId), eq(mailDays.day, day)))
      .get()
  )?.mails ?? 0;

/** Counts one mail, and returns the row; nothing where as many as are allowed were counted. */
export const takeMail = (db: Db, teamId: string, { day, mailsMax }: { day: string; mailsMax: number }) =>
  db
    .insert(mailDays)
    .select(sql`select ${teamId}, ${day}, 1 where ${hasTeam(teamId)}`)
    .onConflictDoUpdate({
      target: [mailDays.teamId, mailDays.day],
      set: { mails: sql`${mailDays.mails} + 1` },
      setWhere: lt(mailDays.mails, mailsMax),
    })
    .returning({ mails: mailDays.mails });

/** Gives back what {@link takeMail} has counted. */
export const returnMail = (db: Db, teamId: string, day: string) =>
  db
    .update(mailDays)
    .set({ mails: sql`${mailDays.mails} - 1` })
    .where(and(eq(mailDays.teamId, teamId), eq(mailDays.day, day), gt(mailDays.mails, 0)));

export function deleteDaysBefore(db: Db, before: string, rowsMax: number) {
  const old = db.select({ rowid: sql`rowid` }).from(mailDays).where(lt(mailDays.day, before)).limit(rowsMax);
  return db.delete(mailDays).where(sql`rowid in ${old}`).returning({ day: mailDays.day });
}
