// A key partition has digests of its rows, which a checkpoint keeps for the next run. All of them are sums, so that
// partitions can be joined into larger ones without the rows. This file is pure.

import { z } from "zod";
import { checksumOfRanges, type KeyChecksum } from "../../extract/changes/key-checksum.ts";

/**
 * A table is partitioned by its key. `ordinal`: by the first column of the key, 2^bits values to a partition. `hash`:
 * by the first so many hexadecimal digits of the whole key's hash.
 */
export type Partitioning = { by: "ordinal"; bits: number } | { by: "hash"; digits: number };

/**
 * `digest` holds two sums of 64 bits, cut to their lower 64; `keys` is the sum of the hashes of all keys. Both are
 * hexadecimal.
 */
export type KeyPartition = { rows: number; digest: string; keys: string };

/** By the partition's number or its digits; {@link NO_VALUE} for rows that have no ordinal. */
export type KeyPartitions = ReadonlyMap<string, KeyPartition>;

export const NO_VALUE = "";

export type Digested = { partitioning: Partitioning; partitions: KeyPartitions };

const HEX = /^[0-9a-f]{1,32}$/;
const HALF_DIGITS = 16;
const HALF = 1n << 64n;

/** Digests are plain data, well below a megabyte. Checkpoints spell a partitioning `plan`, and partitions `buckets`. */
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

export const storeDigests = (fingerprint: string, { partitioning, partitions }: Digested): StoredDigests => ({
  fingerprint,
  plan: partitioning,
  buckets: [...partitions].map(([id, { rows, digest, keys }]) => [id, rows, digest, keys]),
});

/** Undefined where it is none of ours: then there is nothing to compare with. */
export function readStoredDigests(stored: object | undefined): (Digested & { fingerprint: string }) | undefined {
  const read = stored && StoredDigests.safeParse(stored).data;
  return (
    read && {
      fingerprint: read.fingerprint,
      partitioning: read.plan,
      partitions: new Map(read.buckets.map(([id, rows, digest, keys]) => [id, { rows, digest, keys }])),
    }
  );
}

/** Makes a partition from the sums that a database wrote in decimal digits. */
export const partitionOf = (rows: number, first: string, second: string, keys: string): KeyPartition => ({
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

function addPartitions(a: KeyPartition, b: KeyPartition): KeyPartition {
  const [first, second] = halvesOf(a.digest);
  const [firstToo, secondToo] = halvesOf(b.digest);
  return {
    rows: a.rows + b.rows,
    digest: toDigest(first + firstToo, second + secondToo),
    keys: (BigInt(`0x${a.keys}`) + BigInt(`0x${b.keys}`)).toString(16),
  };
}

/** Puts the rows into larger partitions: those of `to`, which is by the same as the partitions are, and no finer. */
export function coarsen({ partitioning: from, partitions }: Digested, to: Partitioning): KeyPartitions {
  if (from.by === "ordinal" && to.by === "ordinal") {
    const times = 1n << BigInt(to.bits - from.bits);
    return join(partitions, (id) => String(floorDivide(BigInt(id), times)));
  }
  if (from.by === "hash" && to.by === "hash") return join(partitions, (id) => id.slice(0, to.digits));
  throw new Error("partitions by one can't be made of partitions by the other");
}

/**
 * The partitioning by which two digests of a table can be compared: the coarser of theirs; undefined where there is
 * none.
 */
export function commonPartitioning(a: Partitioning, b: Partitioning): Partitioning | undefined {
  if (a.by === "ordinal" && b.by === "ordinal") return a.bits > b.bits ? a : b;
  if (a.by === "hash" && b.by === "hash") return a.digits < b.digits ? a : b;
  return undefined;
}

function join(partitions: KeyPartitions, wider: (id: string) => string): KeyPartitions {
  const joined = new Map<string, KeyPartition>();
  for (const [id, partition] of partitions) {
    const to = id === NO_VALUE ? id : wider(id);
    const there = joined.get(to);
    joined.set(to, there ? addPartitions(there, partition) : partition);
  }
  return joined;
}

const floorDivide = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;

/** Partitions that are not in both alike. */
export function changedPartitions(before: KeyPartitions, now: KeyPartitions): string[] {
  const isSame = (a: KeyPartition | undefined, b: KeyPartition | undefined): boolean =>
    a?.rows === b?.rows && a?.digest === b?.digest && a?.keys === b?.keys;
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => !isSame(before.get(id), now.get(id)));
}

export const rowsOf = (partitions: KeyPartitions): number => sum([...partitions.values()]);

export const rowsIn = (partitions: KeyPartitions, ids: readonly string[]): number =>
  sum(ids.flatMap((id) => partitions.get(id) ?? []));

const sum = (partitions: readonly KeyPartition[]): number => partitions.reduce((total, { rows }) => total + rows, 0);

export const largestOf = (partitions: KeyPartitions): number =>
  [...partitions.values()].reduce((largest, { rows }) => Math.max(largest, rows), 0);

/** The checksum of all keys. */
export const keysOf = (partitions: KeyPartitions): KeyChecksum => checksumOfRanges([...partitions.values()]);
