// Every change that a caller asks for is audited in the batch that makes it: neither is ever there without the other.

import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { listFiles, textOf } from "../support/node/tidy/source-tree.ts";

/** The files whose writes no caller asked for, each with its reason. */
const NOT_ASKED_FOR: Record<string, string> = {
  "alerts/deliveries/deliver.ts": "what came of an attempt to send a message",
  "alerts/episodes/sweep.ts": "the clock judges syncs and jobs, and forgets what is old",
  "alerts/webhook/reseal.ts": "key rotation: the secrets stay the same",
  "audit/announce.ts": "an access change that was audited becomes an outbound event",
  "audit/sweep.ts": "the clock forgets old events",
  "automations/jobs/pause.ts": "the platform pauses a job that cannot succeed; the job, its run and the alert say why",
  "automations/cancelling/cut.ts": "the end of what ran with rights whose removal was audited",
  "automations/schedule/start-due.ts": "the schedule starts what was audited as it was planned",
  "deliveries/send/send.ts": "a run of a job hands over what its delivery says, which was audited",
  "destinations/events/disable.ts": "what attempts say of a destination: it fails, or wants no more",
  "destinations/reseal.ts": "key rotation: address and secrets stay the same",
  "docs/builds/record-build.ts": "how the tables of a run went, which was audited as it began",
  "docs/runs/conduct.ts": "a heartbeat's lease, renewed for a sandbox that still works on the run",
  "docs/runs/finish.ts": "how a run ended: whoever started it was audited",
  "docs/runs/order-run.ts": "a run that no sandbox took up never was",
  "docs/runs/internal-routes.ts": "what a sandbox reports of a run that was audited as it began",
  "docs/runs/sweep.ts": "the clock forgets old runs and idempotency keys",
  "docs/webhook/execute.ts": "an idempotency key, bound until its run is recorded, which is audited",
  "docs/webhook/reseal.ts": "key rotation: the secret stays the same",
  "drive/measure/sweep.ts": "the clock measures what there is",
  "drive/sweep.ts": "the clock removes what has expired",
  "publications/secret/reseal.ts": "key rotation: the secrets stay the same",
  "publications/statistics/count-call.ts": "how many calls a publication had",
  "publications/statistics/sweep.ts": "the clock forgets old rollups",
  "integrations/credentials/reseal.ts": "key rotation: the credentials stay the same",
  "lakes/collect-objects.ts": "where a regular collection goes on",
  "lakes/summaries/keep-summary.ts": "what a round has seen of a lake",
  "lakes/remove-objects.ts": "where the removal of a lake goes on, whose deletion was audited",
  "lakes/sweep-collections.ts": "the clock claims what is due",
  "lakes/sweep-removals.ts": "the clock claims what is due",
  "linked-files/link.ts": "a run of a job links what its delivery says, which was audited",
  "linked-files/fetch-file.ts": "how often a file was fetched, by whoever has its address",
  "linked-files/sweep.ts": "the clock deletes what has ended",
  "mail/links/confirm.ts": "an address allows mail: whoever holds it is no user, and the question was audited",
  "mail/links/unsubscribe.ts": "whoever holds an address ends mail to it, or has it come again, and is no user",
  "mail/send-mail.ts": "how many mails a team has sent on a day",
  "mail/sweep.ts": "the clock forgets old counts",
  "messages/of-run.ts": "a run that ends takes back what it has not sent: its end was audited, or its time is over",
  "messages/requests/settle.ts": "what came of a message, whose request was audited before it was sent",
  "messages/send.ts": "what came of an attempt to send a message",
  "messages/sweep.ts": "the clock forgets old messages",
  "operations/note-dead-letter.ts": "what no consumer could work on",
  "operations/note-tick.ts": "when the clock last ticked",
  "quotas/count-cluster-bytes.ts": "what a statement read at a cluster, as the engine says",
  "work-model/claims.ts": "a step's claim, renewed while it works",
  "query/async/follow.ts": "a result that is read on is kept for longer",
  "query/async/finish.ts": "how a query ended",
  "query/async/forget.ts": "a result that was handed on is forgotten",
  "query/async/hold.ts": "a statement is no change of a row; what one writes is in its lake's history",
  "query/async/start.ts": "a statement is no change of a row; what one writes is in its lake's history",
  "query/async/sweep.ts": "the clock forgets old queries and their results",
  "query/async/take.ts": "a result that was handed on is forgotten",
  "query/async/take-end.ts": "a statement is no change of a row; it reads",
  "secrets/reseal.ts": "key rotation: the secret stays the same",
  "teams/identity-provider/reseal.ts": "key rotation: the secret stays the same",
  "teams/magic-links/request.ts": "a link that anybody may ask for, and the address's holder gets: its use is audited",
  "teams/magic-links/sweep.ts": "the clock forgets old links",
  "teams/removal/remove-team.ts": "where the removal of a team goes on, whose deletion was audited",
  "teams/sessions/find-caller.ts": "when a session was last used",
  "teams/sessions/sweep.ts": "the clock forgets old sessions, and counts of tries",
  "teams/sign-in/tries/require-try.ts": "how often callers without a key have tried something",
  "teams/removal/sweep.ts": "the clock claims what is due",
  "drive/give-uploads-up.ts": "uploads of a team whose deletion was audited",
  "statistics/sweep.ts": "the clock forgets old rollups",
  "syncs/finish-removals.ts": "the end of a sync whose deletion was audited",
  "syncs/runs/start-due.ts": "the schedule starts what was audited as it was configured",
  "syncs/tables/own.ts": "a planned sync that never came to be is forgotten",
  "teams/keys/sweep.ts": "the clock forgets keys that ended long ago",
  "work-model/step-run.ts": "a run moves on: whoever started it was audited",
  "work-model/sweep.ts": "the clock forgets old runs",
  "work-model/wake-run.ts": "a look at a run that was planned is taken sooner",
};

/** Statements that need no audit in files that audit their others. */
const STATEMENTS_NOT_ASKED_FOR: Record<string, string> = {
  "teams/agents/tokens.ts advanceGeneration": "tokens are fetched anew by what a person was audited to give",
  "teams/sign-in/oidc-flow.ts insertSpent": "an answer of a provider counts once: what it is for is audited likewise",
  "teams/sign-in/challenge.ts insertSpent": "a challenge is answered once: what it is for is audited in the same batch",
  "mail/addresses/create.ts takeAsk": "when an address was asked, whichever team did: the question itself is audited",
  "mail/addresses/create.ts returnAsk": "takes that back for a question that was not sent",
  "syncs/configure.ts insertSync": "a planned sync, which nobody sees: its activation is audited",
};

/** Events that tell of neither a before nor an after, by file, each with its reason. */
const WITHOUT_FACTS: Record<string, string> = {
  "secrets/delete.ts": "the key is all of a secret that may be told, and it is the subject",
  "secrets/set.ts": "the key is all of a secret that may be told, and it is the subject",
  "work-model/step-now.ts": "a look at a run that is taken sooner changes nothing",
};

/** Verbs that audit what is no change of a row, and so have no batch for it. */
const AUDITED_ALONE = ["exportLakeCatalog", "loadSample", "setLakeOption"];

const FEATURES = "src/features/";
const files = listFiles("src/features", ".ts");
/** Makes statements for the batch of whoever calls it. */
const IS_BUILDER = /Statements?$/;
const isStore = (file: string): boolean => /\/store(-[a-z-]+)?\.ts$/.test(file);
const isWrite = (text: string): boolean =>
  /\bdb\s*\.(insert|update|delete)\(|\b(claimDueRows|deleteSome|sealedRowsOf)\(/.test(text);
const calls = (text: string, name: string): boolean => new RegExp(`(?<!function )\\b${name}\\(`).test(text);

type Declared = { name: string; text: string };

/** What a file declares at its top level, each with its whole text; a route is one without a name. */
const declarationsOf = (file: string): Declared[] =>
  textOf(file)
    .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "")
    .split(/^(?=[a-z])/m)
    .map((text) => ({ name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1] ?? "", text }));

/** The functions of a store that make a writing statement, or call another that does, of this store or of another. */
function writersOf(file: string): string[] {
  const all = declarationsOf(file).filter(({ name }) => name !== "");
  const foreign = importedWriters(file);
  const writers = new Set<string>();
  const makesOne = ({ text }: Declared): boolean =>
    isWrite(text) || [...writers, ...foreign].some((name) => calls(text, name));
  for (let before = -1; before < writers.size; ) {
    before = writers.size;
    for (const declared of all) if (makesOne(declared)) writers.add(declared.name);
  }
  return [...writers];
}

/** What a file imports from stores, and statements that other verbs make to ride in whoever's batch. */
function importedWriters(file: string): string[] {
  return [...textOf(file).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, list, source]) => {
    const from = join(dirname(file), source!);
    const names = list!.split(",").map((name) => name.trim());
    const writers = isStore(from) ? writersOf(from) : [];
    return names.filter((name) => writers.includes(name) || IS_BUILDER.test(name));
  });
}

/** The texts between the brackets of each `.batch(…)`. */
const batchesOf = (text: string): string[] => callsOf(text, /\.batch\(/g);

/** The text of each call whose name and bracket match, up to its closing bracket. */
function callsOf(text: string, opening: RegExp): string[] {
  return [...text.matchAll(opening)].map(({ 0: opened, index }) => {
    let depth = 1;
    let at = index + opened.length;
    for (; depth > 0 && at < text.length; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
    return text.slice(index, at);
  });
}

/**
 * The writes of a file that are in no batch with an audit event. Statements that a function makes for others are
 * theirs.
 */
function unauditedIn(file: string): string[] {
  const writers = importedWriters(file);
  return declarationsOf(file)
    .filter(({ name, text }) => !text.startsWith("import") && !IS_BUILDER.test(name))
    .flatMap(({ text }) => {
      const audited = batchesOf(text).filter((batch) => /\brecordAudit(If)?\(/.test(batch));
      const rest = audited.reduce((left, batch) => left.replace(batch, ""), text);
      return writers.filter((name) => calls(rest, name)).map((name) => `${file.slice(FEATURES.length)} ${name}`);
    });
}

it("changes rows by the statements of a store alone", () => {
  expect(files.filter((file) => !isStore(file) && isWrite(textOf(file)))).toEqual([]);
});

it("audits each change in its own batch, or says here why not", () => {
  const unaudited = new Set(files.filter((file) => !isStore(file)).flatMap(unauditedIn));
  const isExcused = (write: string): boolean =>
    write.split(" ")[0]! in NOT_ASKED_FOR || write in STATEMENTS_NOT_ASKED_FOR;
  expect([...unaudited].filter((write) => !isExcused(write))).toEqual([]);
});

it("excuses no write that is not there", () => {
  const unaudited = files.filter((file) => !isStore(file)).flatMap(unauditedIn);
  const inFiles = new Set(unaudited.map((write) => write.split(" ")[0]!));
  expect(Object.keys(NOT_ASKED_FOR).filter((file) => !inFiles.has(file))).toEqual([]);
  expect(Object.keys(STATEMENTS_NOT_ASKED_FOR).filter((write) => !unaudited.includes(write))).toEqual([]);
});

it("records no audit event by itself beside a change, where it could be lost", () => {
  const alone = files.flatMap((file) => declarationsOf(file).filter(({ text }) => /await recordAudit/.test(text)));
  expect(alone.map(({ name }) => name).sort()).toEqual(AUDITED_ALONE);
});

it("tells what was before or after each change, or says here why not", () => {
  const tellsNothing = (call: string): boolean => !/\b(before|after)(:|,| })/.test(call);
  const silent = files.filter((file) => callsOf(textOf(file), /\brecordAudit(If)?\(/g).some(tellsNothing));
  expect(silent.map((file) => file.slice(FEATURES.length)).sort()).toEqual(Object.keys(WITHOUT_FACTS).sort());
});
