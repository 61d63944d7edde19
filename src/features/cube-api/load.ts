import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { endTaking, takeQueries } from "../query/async/take.ts";
import type { QueryDeps, Writing } from "../query/prepare-query.ts";
import { openPlanner, type CubePlan } from "./plan.ts";
import type { SentQuery } from "./sent-query.ts";

type LoadDeps = QueryDeps & Needs<"bucket">;

/** `call`: which of its calls the client makes; see `callOf`. */
type Load = SentQuery & { integrationId: string; call: string };

/**
 * Answers the document of the queries' rows, streaming; undefined where one has not ended after a while, and all are to
 * be asked again. Throws what a query fails with: a document that has begun is whole, or breaks off.
 */
export async function loadCubeQuery(
  ctx: LoadDeps,
  { integrationId, call, ...sent }: Load,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<ReadableStream | undefined> {
  const { raws, isList, isMulti } = sent;
  const planAt = await openPlanner(ctx, integrationId);
  const { queryType } = planAt(sent, ctx.scope.now);
  if (queryType !== "regularQuery" && !isMulti)
    throw new Problem("invalid_request", `Send queryType=multi: a ${queryType} has several results.`);
  const writing: Writing = { format: "json", numbers: "string", isWhole: true, ...(isList && { isBlended: true }) };
  const repeated = raws.map((raw, index) => ({
    query: { cube_query: raw, integration_id: integrationId },
    writing,
    // A query in a list has another answer than it has by itself, and a list may have the same query twice.
    call: isList ? `${call}/${index}` : call,
  }));
  const taken = await takeQueries(ctx, repeated, waitUntil);
  if (!taken) return undefined;
  // Words for dates mean what they meant when the run began.
  const plan = planAt(sent, new Date(taken[0]!.query.createdAt));
  const around = isMulti && queryType !== "compareDateRangeQuery" ? frameOf(plan) : EMPTY_FRAME;
  const { readable, writable } = new IdentityTransformStream();
  const bodies = taken.map(({ body }) => body);
  const handing = writeFramed(bodies, around, writable).then(
    () => true,
    () => false,
  );
  const ending = async (wasHandedOn: boolean) =>
    Promise.all(taken.map(({ query }) => endTaking(ctx, query, wasHandedOn)));
  waitUntil(handing.then(ending).catch(() => undefined));
  return readable;
}

type Frame = { before: string; after: string };

/** A query that compares is written as a list of results by itself. */
const EMPTY_FRAME: Frame = { before: "", after: "" };

const frameOf = ({ queryType, pivotQuery }: CubePlan): Frame => ({
  before: `{"queryType":"${queryType}","results":[`,
  after: `],"pivotQuery":${JSON.stringify(pivotQuery)},"slowQuery":false}`,
});

/** The runtime moves the bytes of results by itself; none of them pass through our code. */
async function writeFramed(bodies: ReadableStream[], { before, after }: Frame, to: WritableStream): Promise<void> {
  const write = async (text: string): Promise<void> => {
    const writer = to.getWriter();
    await writer.write(new TextEncoder().encode(text));
    writer.releaseLock();
  };
  if (before !== "") await write(before);
  for (const [index, body] of bodies.entries()) {
    if (index > 0) await write(",");
    await body.pipeTo(to, { preventClose: true });
  }
  if (after !== "") await write(after);
  await to.close();
}
