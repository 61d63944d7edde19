// Envelopes of webhooks: checked while they stream in, `data` kept byte for byte, and taken by the run they came for.

import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Flaw } from "../../program/server.ts";
import { Failure } from "../core/failure.ts";
import { ENVELOPE_KEPT_MS, type EnvelopeReport } from "../../../kernel/wire/sandbox.ts";
import { checkEnvironment } from "../../../kernel/text/environment-names.ts";
import { ObjectScanner, type Take } from "./object-scanner.ts";

export const ENVELOPE_BYTES_MAX = 100 * 1024 * 1024;
const SMALL_BYTES_MAX = 256 * 1024;
const ENVELOPES_MAX = 100;
const KEYS_MAX = 200;
/** Reported at once; a longer list helps nobody, and each member of a body could add to it. */
const FLAWS_MAX = 50;
const KEY_CHARACTERS_MAX = 200;

export type Envelope = { dataFile: string | null; environment: Record<string, string>; datasetKeys: string[] | null };

export class Envelopes {
  readonly #directory: string;
  readonly #kept = new Map<string, { envelope: Envelope; timer: NodeJS.Timeout }>();
  readonly #arriving = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Rejects with `envelope_refused` and flaws, `body_too_large`, `conflict` for an id that has one, or `busy`. */
  async put(runId: string, body: AsyncIterable<Uint8Array>): Promise<EnvelopeReport> {
    if (this.#kept.has(runId) || this.#arriving.has(runId))
      throw new Failure("conflict", "This run has an envelope already.");
    if (this.#kept.size + this.#arriving.size >= ENVELOPES_MAX)
      throw new Failure("busy", "Too many webhooks are arriving at once. Try again in a moment.");
    this.#arriving.add(runId);
    const file = join(this.#directory, `data-${crypto.randomUUID()}.json`);
    try {
      const { envelope, dataBytes } = await receive(body, file);
      const timer = setTimeout(() => void this.#forget(runId), ENVELOPE_KEPT_MS);
      this.#kept.set(runId, { envelope, timer });
      return { datasetKeys: envelope.datasetKeys, environmentNames: Object.keys(envelope.environment), dataBytes };
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      this.#arriving.delete(runId);
    }
  }

  /** Hands it over for good: the file is the caller's to remove. */
  take(runId: string): Envelope | undefined {
    const kept = this.#kept.get(runId);
    clearTimeout(kept?.timer);
    this.#kept.delete(runId);
    return kept?.envelope;
  }

  async #forget(runId: string): Promise<void> {
    const dataFile = this.take(runId)?.dataFile;
    if (dataFile) await rm(dataFile, { force: true });
  }
}

async function receive(
  body: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ envelope: Envelope; dataBytes: number | null }> {
  const small = new Map<string, Buffer[]>();
  const flaws: Flaw[] = [];
  const pieces: Uint8Array[] = [];
  const seen = new Set<string>();
  const scan = new ObjectScanner((name) => {
    if (flaws.length >= FLAWS_MAX) throw refusalOf(flaws);
    if (seen.has(name)) flaws.push({ pointer: pointerTo(name), message: "is given twice" });
    seen.add(name);
    if (name === "data") return (piece) => void pieces.push(piece);
    if (name === "environmentVariables" || name === "datasetKeys") return keepSmall(name, small);
    flaws.push({
      pointer: pointerTo(name),
      message: "is not known here; there are data, environmentVariables and datasetKeys",
    });
    return () => undefined;
  });
  let bytes = 0;
  let dataBytes = 0;
  let handle: FileHandle | undefined;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > ENVELOPE_BYTES_MAX)
        throw new Failure("body_too_large", `The body is larger than ${ENVELOPE_BYTES_MAX} bytes.`);
      scan.push(chunk);
      if (pieces.length === 0) continue;
      handle ??= await open(file, "wx", 0o400);
      for (const piece of pieces.splice(0)) {
        dataBytes += piece.length;
        await handle.writeFile(piece);
      }
    }
    scan.end();
  } finally {
    await handle?.close();
  }
  // Many clients say null where they have nothing to say.
  const said = (name: string): unknown =>
    small.has(name) ? JSON.parse(Buffer.concat(small.get(name)!).toString()) : null;
  const environment = said("environmentVariables") ?? {};
  const datasetKeys = said("datasetKeys");
  flaws.push(...checkEnvironment(environment), ...checkKeys(datasetKeys));
  if (flaws.length > 0) throw refusalOf(flaws);
  return {
    envelope: {
      dataFile: handle ? file : null,
      environment: environment as Record<string, string>,
      datasetKeys: datasetKeys as string[] | null,
    },
    dataBytes: handle ? dataBytes : null,
  };
}

const refusalOf = (flaws: Flaw[]): Failure =>
  new Failure(
    "envelope_refused",
    `The webhook's body was refused: ${flaws[0]!.pointer} ${flaws[0]!.message}.`,
    flaws.slice(0, FLAWS_MAX),
  );

function keepSmall(name: string, small: Map<string, Buffer[]>): Take {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return (piece) => {
    bytes += piece.length;
    if (bytes > SMALL_BYTES_MAX)
      throw new Failure("envelope_refused", `${name} is larger than ${SMALL_BYTES_MAX} bytes.`, [
        { pointer: pointerTo(name), message: `is larger than ${SMALL_BYTES_MAX} bytes` },
      ]);
    pieces.push(Buffer.from(piece));
    small.set(name, pieces);
  };
}

function checkKeys(keys: unknown): Flaw[] {
  const pointer = "/datasetKeys";
  if (keys === null) return [];
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX)
    return [{ pointer, message: `must be a list of 1 to ${KEYS_MAX} dataset keys` }];
  return keys.flatMap((key: unknown, at) => {
    if (typeof key !== "string" || key.length === 0 || key.length > KEY_CHARACTERS_MAX)
      return [{ pointer: `${pointer}/${at}`, message: "must be a dataset's key" }];
    return keys.indexOf(key) < at ? [{ pointer: `${pointer}/${at}`, message: "is named twice" }] : [];
  });
}

const pointerTo = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
