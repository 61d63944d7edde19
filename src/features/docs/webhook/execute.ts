// A webhook from its first byte to its results. The body passes through, unparsed and unheld, to the parent of the
// team's sandbox, which checks it; only then is it decided what runs.

import { newId } from "../../../core/ids.ts";
import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Doc } from "../doc.ts";
import { readSource, requireLiveDoc } from "../find.ts";
import { conductRun } from "../runs/conduct.ts";
import { choosePython, planRun } from "../runs/plan/plan-run.ts";
import { openRunReader } from "../executions/read-output.ts";
import { hasEnded, resultsOf, type Results } from "../runs/run.ts";
import { startRun, type StartedRun } from "../runs/start.ts";
import { findRun, selectExecutions } from "../runs/store.ts";
import { findWebhookSecret } from "../store.ts";
import type { WebhookHeaders } from "./headers.ts";
import { checkSignature, type Signed } from "./signature.ts";
import { claimKey, releaseKey, type KeyName } from "./store-keys.ts";

export type WebhookRequest = {
  docId: string;
  headers: Headers;
  asked: WebhookHeaders;
  body: ReadableStream<Uint8Array> | null;
  waitUntil: (work: Promise<unknown>) => void;
};

export type Executed =
  | { kind: "results"; docId: string; docName: string; results: Results; isReplay: boolean }
  | { kind: "accepted"; docId: string; docName: string; runId: string; isReplay: boolean };

/** A request with what was found for it: its doc, and its signature where the doc asks for one. */
type Delivery = { doc: Doc; request: WebhookRequest; signed: Signed | undefined };

type Ctx = Needs<"scope" | "db" | "bucket" | "vault" | "tokens" | "openSandbox" | "openLake">;

/**
 * Runs a doc's Python datasets with the body as their payload. A dataset that fails is a result; a Problem says that
 * nothing ran.
 */
export async function executeWebhook(ctx: Ctx, request: WebhookRequest): Promise<Executed> {
  const doc = await requireLiveDoc(ctx, request.docId);
  const signed = await openSigned(ctx, doc, request);
  const delivery = { doc, request, signed };
  const runId = newId();
  // A signed message has an id of its own, which its sender keeps over retries.
  const key = request.asked.idempotencyKey ?? signed?.id;
  const name = key === undefined ? undefined : { teamId: ctx.scope.teamId, docId: doc.id, key };
  const claimed = name ? await claim(ctx, name, runId) : runId;
  if (claimed !== runId) return replay(ctx, claimed, delivery);
  const work = startAndAwait(ctx, runId, name, delivery);
  // A caller that goes away must not leave a key that is bound to nothing.
  request.waitUntil(work.catch(() => undefined));
  return work;
}

async function startAndAwait(
  ctx: Ctx,
  runId: string,
  name: KeyName | undefined,
  delivery: Delivery,
): Promise<Executed> {
  const { doc, request } = delivery;
  try {
    const started = await receive(ctx, runId, delivery);
    const ended = conductRun(ctx, started);
    request.waitUntil(ended.catch(() => undefined));
    if (request.asked.isAsync) return { kind: "accepted", ...named(doc), runId, isReplay: false };
    await ended;
    return {
      kind: "results",
      ...named(doc),
      results: resultsOf(await selectExecutions(ctx.db, started.run), true),
      isReplay: false,
    };
  } catch (error) {
    // A Problem says that nothing ran. After anything else a run may be going on, and a repeat must not start another.
    if (name && error instanceof Problem) await releaseKey(ctx.db, name, runId);
    throw error;
  }
}

const named = ({ id, name }: Doc) => ({ docId: id, docName: name });

async function openSigned(
  { scope, db, vault }: Ctx,
  doc: Doc,
  { headers, body }: WebhookRequest,
): Promise<Signed | undefined> {
  if (!doc.is_signed) return undefined;
  const sealed = await findWebhookSecret(db, scope.teamId, doc.id);
  if (sealed === null) return undefined;
  const secret = await vault.unseal({ teamId: scope.teamId, docId: doc.id }, sealed);
  return checkSignature(secret, headers, body ?? emptyBody(), scope.now);
}

const emptyBody = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => controller.close() });

/** The envelope, its signature and what it asks for are all checked before there is a run. */
async function receive(ctx: Ctx, runId: string, { doc, request: { body }, signed }: Delivery): Promise<StartedRun> {
  const { definition } = await readSource(ctx, doc);
  const envelope = await ctx.openSandbox(ctx.scope.teamId).putEnvelope(runId, signed && body ? signed.body : body);
  // Without a body nobody reads the signed one, which is empty.
  if (signed && !body) await signed.body.pipeTo(new WritableStream());
  await signed?.verify();
  const plan = planRun(definition, choosePython(definition, envelope.datasetKeys));
  const hadData = envelope.dataBytes !== null || envelope.environmentNames.length > 0;
  return startRun(ctx, { id: runId, doc, definition, plan, cause: "webhook", hasEnvelope: true, hadData });
}

const claim = ({ db, scope }: Ctx, name: KeyName, runId: string): Promise<string> => {
  const at = (ms: number): string => new Date(scope.now.getTime() - ms).toISOString();
  return claimKey(db, name, runId, {
    now: at(0),
    forgotten: at(DOC_LIMITS.idempotencyKeptMs),
    pending: at(DOC_LIMITS.idempotencyPendingMs),
  });
};

/**
 * The answer of the run that the key was first sent for, as far as who sends it again may see that. Its body is not
 * held, so this one's is not compared with it; but it must be signed.
 */
async function replay(ctx: Ctx, runId: string, { doc, request: { asked }, signed }: Delivery): Promise<Executed> {
  const { scope, db } = ctx;
  // Without a signature the body is left unread; to cancel it would break the connection that the answer goes by.
  if (signed) {
    await signed.body.pipeTo(new WritableStream());
    await signed.verify();
  }
  const run = await findRun(db, scope.teamId, runId);
  if (run && asked.isAsync) return { kind: "accepted", ...named(doc), runId, isReplay: true };
  if (!run || !hasEnded(run))
    throw new Problem("work_in_progress", "A request with this Idempotency-Key is still being worked on.");
  const mayRead = await openRunReader(ctx);
  const results = resultsOf(await selectExecutions(db, run), mayRead(run));
  return { kind: "results", ...named(doc), results, isReplay: true };
}
