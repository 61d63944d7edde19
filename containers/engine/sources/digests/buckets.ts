// Digests of a table's rows, bucket by bucket, which a checkpoint keeps for the next run. All of them are sums, so that
// buckets can be joined into larger ones without the rows. This file is pure.

import { z } from "zod";
import { checksumOfRanges, type KeyChecksum } from "../../extract/changes/key-checksum.ts";

/**
 * How rows are told to buckets. `ordinal`: by the first column of the key, 2^bits values to a bucket. `hash`: by the
 * first so many hexadecimal digits of the whole key's hash.
 */
export type BucketPlan = { by: "ordinal"; bits: number } | { by: "hash"; digits: number };

/**
 * `digest` holds two sums of 64 bits, cut to their lower 64; `keys` is the sum of the hashes of all keys. Both are
 * hexadecimal.
 */
export type Bucket = { rows: number; digest: string; keys: string };

/** By the bucket's number or its digits; {@link NO_VALUE} for rows that have no ordinal. */
export type Buckets = ReadonlyMap<string, Bucket>;

export const NO_VALUE = "";

export type Digested = { plan: BucketPlan; buckets: Buckets };

const HEX = /^[0-9a-f]{1,32}$/;
const HALF_DIGITS = 16;
const HALF = 1n << 64n;

/** The digests are plain data, well below a megabyte. */
const StoredDigests = z.object({
  fingerprint: z.string(),
  plan: z.discriminatedUnion("by", [
    z.object({ by: z.literal("ordinal"), bits: z.number().int().min(0).max(128) }),
    z.object({ by: z.literal("hash"), digits: z.number().int().min(0).max(8) }),
  ]),
  buckets: z.array(
    z.tuple([
      z.string().regex(/^(-?\d{1,39}|[0-9a-f]{0,8})$/),
      z.number().int().min(1),
      z.string().regex(HEX),
      z.string().regex(HEX),
    ]),
  ),
});
export type StoredDigests = z.infer<typeof StoredDigests>;

export const storeDigests = (fingerprint: string, { plan, buckets }: Digested): StoredDigests => ({
  fingerprint,
  plan,
  buckets: [...buckets].map(([id, { rows, digest, keys }]) => [id, rows, digest, keys]),
});

/** Undefined where it is none of ours: then there is nothing to compare with. */
export function readStoredDigests(stored: object | undefined): (Digested & { fingerprint: string }) | undefined {
  const read = stored && StoredDigests.safeParse(stored).data;
  return (
    read && {
      fingerprint: read.fingerprint,
      plan: read.plan,
      buckets: new Map(read.buckets.map(([id, rows, digest, keys]) => [id, { rows, digest, keys }])),
    }
  );
}

/** Makes a bucket from the sums that a database wrote in decimal digits. */
export const bucketOf = (rows: number, first: string, second: string, keys: string): Bucket => ({
  rows,
  digest: toDigest(BigInt(first), BigInt(second)),
  keys: BigInt(keys).toString(16),
});

const toDigest = (first: bigint, second: bigint): string =>
  [first, second].map((half) => (half % HALF).toString(16).padStart(HALF_DIGITS, "0")).join("");

const halvesOf = (digest: string): [bigint, bigint] => [
  BigInt(`0x${digest.slice(0, HALF_DIGITS)}`),
  BigInt(`0x${digest.slice(HALF_DIGITS)}`),
];

function addBuckets(a: Bucket, b: Bucket): Bucket {
  const [first, second] = halvesOf(a.digest);
  const [firstToo, secondToo] = halvesOf(b.digest);
  return {
    rows: a.rows + b.rows,
    digest: toDigest(first + firstToo, second + secondToo),
    keys: (BigInt(`0x${a.keys}`) + BigInt(`0x${b.keys}`)).toString(16),
  };
}

/** Puts the rows into larger buckets; `plan` is of the same kind as the buckets' own plan, and no finer. */
export function coarsen({ plan: from, buckets }: Digested, plan: BucketPlan): Buckets {
  if (from.by === "ordinal" && plan.by === "ordinal") {
    const times = 1n << BigInt(plan.bits - from.bits);
    return join(buckets, (id) => String(floorDivide(BigInt(id), times)));
  }
  if (from.by === "hash" && plan.by === "hash") return join(buckets, (id) => id.slice(0, plan.digits));
  throw new Error("buckets of one kind can't be made of the other's");
}

/**
 * The plan by which two digests of a table can be compared: the coarser of their plans; undefined where there is none.
 */
export function commonPlan(a: BucketPlan, b: BucketPlan): BucketPlan | undefined {
  if (a.by === "ordinal" && b.by === "ordinal") return a.bits > b.bits ? a : b;
  if (a.by === "hash" && b.by === "hash") return a.digits < b.digits ? a : b;
  return undefined;
}

function join(buckets: Buckets, wider: (id: string) => string): Buckets {
  const joined = new Map<string, Bucket>();
  for (const [id, bucket] of buckets) {
    const to = id === NO_VALUE ? id : wider(id);
    const there = joined.get(to);
    joined.set(to, there ? addBuckets(there, bucket) : bucket);
  }
  return joined;
}

const floorDivide = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;

/** Buckets that are not in both alike. */
export function changedBuckets(before: Buckets, now: Buckets): string[] {
  const isSame = (a: Bucket | undefined, b: Bucket | undefined): boolean =>
    a?.rows === b?.rows && a?.digest === b?.digest && a?.keys === b?.keys;
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => !isSame(before.get(id), now.get(id)));
}

export const rowsOf = (buckets: Buckets): number => sum([...buckets.values()]);

export const rowsIn = (buckets: Buckets, ids: readonly string[]): number =>
  sum(ids.flatMap((id) => buckets.get(id) ?? []));

const sum = (buckets: readonly Bucket[]): number => buckets.reduce((total, { rows }) => total + rows, 0);

export const largestOf = (buckets: Buckets): number =>
  [...buckets.values()].reduce((largest, { rows }) => Math.max(largest, rows), 0);

/** The checksum of all keys. */
export const keysOf = (buckets: Buckets): KeyChecksum => checksumOfRanges([...buckets.values()]);
