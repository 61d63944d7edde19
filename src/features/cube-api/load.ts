import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { endTaking, takeQuery } from "../query/async/take.ts";
import type { QueryDeps } from "../query/run.ts";
import { openPlanner } from "./plan.ts";
import type { SentQuery } from "./sent-query.ts";

type LoadDeps = QueryDeps & Needs<"bucket">;

/** `call`: which of its calls the client makes; see `callOf`. */
type Load = SentQuery & { integrationId: string; call: string };

/**
 * Answers the document of a query's rows, streaming; undefined where the query has not ended after a while, and is to
 * be asked again. Throws what the query fails with: a document that has begun is whole, or breaks off.
 */
export async function loadCubeQuery(
  ctx: LoadDeps,
  { integrationId, raw, isMulti, call }: Load,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<ReadableStream | undefined> {
  const planAt = await openPlanner(ctx, integrationId);
  const { queryType } = planAt(raw, ctx.scope.now);
  if (queryType !== "regularQuery" && !isMulti)
    throw new Problem("invalid_request", `Send queryType=multi: a ${queryType} has several results.`);
  const taken = await takeQuery(
    ctx,
    {
      query: { cube_query: raw, integration_id: integrationId },
      writing: { format: "json", numbers: "string", isWhole: true },
      call,
    },
    waitUntil,
  );
  if (!taken) return undefined;
  const { query, body } = taken;
  // Words for dates mean what they meant when the run began.
  const { pivotQuery } = planAt(raw, new Date(query.createdAt));
  const around = isMulti && queryType === "regularQuery" ? frameOf(pivotQuery) : EMPTY_FRAME;
  const { readable, writable } = new IdentityTransformStream();
  const writing = writeFramed(body, around, writable).then(
    () => true,
    () => false,
  );
  waitUntil(writing.then((wasHandedOn) => endTaking(ctx, query, wasHandedOn)).catch(() => undefined));
  return readable;
}

type Frame = { before: string; after: string };

/** A query that compares is written as a list of results by itself. */
const EMPTY_FRAME: Frame = { before: "", after: "" };

/** The one result as a list of one. */
const frameOf = (pivotQuery: Record<string, unknown>): Frame => ({
  before: '{"queryType":"regularQuery","results":[',
  after: `],"pivotQuery":${JSON.stringify(pivotQuery)},"slowQuery":false}`,
});

/** The runtime moves the bytes of the result by itself; none of them pass through our code. */
async function writeFramed(body: ReadableStream, { before, after }: Frame, to: WritableStream): Promise<void> {
  const write = async (text: string): Promise<void> => {
    const writer = to.getWriter();
    await writer.write(new TextEncoder().encode(text));
    writer.releaseLock();
  };
  if (before !== "") await write(before);
  await body.pipeTo(to, { preventClose: true });
  if (after !== "") await write(after);
  await to.close();
}
