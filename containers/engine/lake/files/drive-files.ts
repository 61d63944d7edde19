// The files of the drive that a statement names: found, checked, brought to the local disk, and put into its text.

import {
  DRIVE_FILES_PER_PAGE_MAX,
  DRIVE_PATHS_PER_SIGNING_MAX,
  DriveListAnswer,
  DriveSignAnswer,
  type DriveEntry,
  type DriveListRequest,
  type DriveSignRequest,
} from "../../../../kernel/wire/drive.ts";
import { Failure } from "../../core/failure.ts";
import type { Phases } from "../../core/phases.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { DriveCache } from "./drive-cache.ts";
import { fixedPart, isGlob, matcherOf } from "./drive-globs.ts";
import { functionFor, type DriveReference } from "../sql/drive-references.ts";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import { askPlatform } from "../../platform/ask-platform.ts";
import type { LakeSettings } from "../../core/settings.ts";

/** Paths that one statement may name. */
const REFERENCES_MAX = 100;
/** Pages of a folder's list that are read for one glob. */
const PAGES_MAX = 100;
const SIGN_MS = 60_000;

/** A statement with its files in place. */
export type FetchedDriveFiles = {
  body: string;
  /** Local files it reads, relative to the cache's directory. */
  paths: string[];
  /** Bytes of the local files, each file counted once. */
  bytes: number;
  /** A failure of the rewritten statement, in the words and positions of the one that was sent. */
  rewriteError(error: unknown): unknown;
  release(): void;
};

/** A statement that reads nothing of the drive. */
export const noDriveFiles = (body: string): FetchedDriveFiles => ({
  body,
  paths: [],
  bytes: 0,
  rewriteError: (error) => error,
  release: () => undefined,
});

export class DriveFiles {
  readonly #platformUrl: string;
  readonly #settings: LakeSettings;
  readonly #cache: DriveCache;

  constructor(platformUrl: string, s3Dial: string, settings: LakeSettings) {
    this.#platformUrl = platformUrl;
    this.#settings = settings;
    this.#cache = new DriveCache(settings.cacheDirectory, settings.driveBytesMax, s3Dial);
  }

  close(): void {
    this.#cache.close();
  }

  /**
   * Rejects with `statement_refused` for paths that are not of the grant's team, and with `sql_error` where there is no
   * file.
   */
  async fetch(
    body: string,
    references: readonly DriveReference[],
    { grant, phases }: { grant: LakeGrant; phases: Phases },
    signal: AbortSignal,
  ): Promise<FetchedDriveFiles> {
    if (references.length === 0) return noDriveFiles(body);
    return phases.time("fetch", () => this.#fetch(body, references, grant, signal));
  }

  async #fetch(
    body: string,
    references: readonly DriveReference[],
    grant: LakeGrant,
    signal: AbortSignal,
  ): Promise<FetchedDriveFiles> {
    const tooMany = references[REFERENCES_MAX];
    if (tooMany)
      throw new Failure("statement_refused", `A statement may name ${REFERENCES_MAX} paths of the drive; use a glob.`, {
        position: tooMany.position,
      });
    const found = new Map<string, DriveEntry[]>();
    for (const reference of references)
      if (!found.has(reference.uri)) found.set(reference.uri, await this.#find(reference, grant, signal));
    const files = [...new Map([...found.values()].flat().map((file) => [file.path, file])).values()];
    const count = references.reduce((sum, { uri }) => sum + found.get(uri)!.length, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    this.#checkSize(bytes, count);
    const { paths, release } = await this.#cache.pin(
      grant.teamId,
      files,
      (wanted) => this.#sign(wanted, grant),
      signal,
    );
    const local = new Map(files.map(({ path }, i) => [path, paths[i]!]));
    const edits = [...references]
      .sort((one, other) => one.at - other.at)
      .map((reference) => ({
        ...reference,
        text: replacement(
          reference,
          found.get(reference.uri)!.map(({ path }) => local.get(path)!),
        ),
      }));
    return {
      body: applied(body, edits),
      paths,
      bytes,
      rewriteError: (error) => rewriteError(error, edits, local),
      release,
    };
  }

  async #find({ uri, position }: DriveReference, grant: LakeGrant, signal: AbortSignal): Promise<DriveEntry[]> {
    const [, root, teamId, path] = /^(gs:\/\/[^/]+\/([^/]+)\/drive\/)(.+)$/s.exec(uri) ?? [];
    if (root === undefined || path === undefined)
      throw new Failure("statement_refused", "A file of the drive is gs://<bucket>/<team_id>/drive/<path>.", {
        position,
      });
    const foreign = (): Failure =>
      new Failure("statement_refused", "Only the files of your own team's drive can be read.", { position });
    if (teamId !== grant.teamId) throw foreign();
    const isMatch = isGlob(path) ? matcherOf(path) : () => false;
    const files: DriveEntry[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor !== null; page++) {
      if (page === PAGES_MAX)
        throw new Failure(
          "resources_exceeded",
          `More than ${PAGES_MAX * DRIVE_FILES_PER_PAGE_MAX} files begin with ${fixedPart(path)}: name a folder ` +
            "with fewer.",
          { position },
        );
      // A plain path comes first among the paths that begin with it, so that one entry is enough to know whether it
      // exists.
      const request: DriveListRequest = { cursor, prefix: fixedPart(path), ...(isGlob(path) ? {} : { limit: 1 }) };
      const answer: DriveListAnswer = await askPlatform(
        { platformUrl: this.#platformUrl, token: grant.token },
        { path: "/internal/drive/list", body: request, answer: DriveListAnswer, signal },
      );
      if (answer.root !== root) throw foreign();
      // A path that is a file's name means that file, even where it could be a glob: `report [2].csv`.
      const own = answer.files.find((file) => file.path === path);
      if (own) return [own];
      files.push(...answer.files.filter((file) => isMatch(file.path)));
      if (files.length > this.#settings.driveFilesMax)
        throw new Failure(
          "resources_exceeded",
          `${uri} names more than the ${this.#settings.driveFilesMax} files a statement may read.`,
          { position },
        );
      cursor = isGlob(path) ? answer.cursor : null;
    }
    if (files.length === 0)
      throw new Failure(
        "sql_error",
        isGlob(path) ? `No file of the drive matches ${uri}.` : `There is no file ${uri}.`,
        { position },
      );
    return files;
  }

  /** `count`: how often a file stands in the statement, which bounds its text as well. */
  #checkSize(bytes: number, count: number): void {
    const { driveFilesMax, driveBytesMax } = this.#settings;
    if (count > driveFilesMax)
      throw new Failure(
        "resources_exceeded",
        `A statement may read ${driveFilesMax} files of the drive; this one names ${count}.`,
      );
    if (bytes > driveBytesMax)
      throw new Failure(
        "resources_exceeded",
        `A statement may read ${driveBytesMax} bytes of the drive; its files have ${bytes}.`,
      );
  }

  /** Signs under a time limit of its own, as other statements may wait for the same files. */
  async #sign(paths: readonly string[], grant: LakeGrant): Promise<Record<string, string>> {
    let urls: Record<string, string> = {};
    const signal = AbortSignal.timeout(SIGN_MS);
    for (let i = 0; i < paths.length; i += DRIVE_PATHS_PER_SIGNING_MAX) {
      const request: DriveSignRequest = { paths: paths.slice(i, i + DRIVE_PATHS_PER_SIGNING_MAX) };
      const answer = await askPlatform(
        { platformUrl: this.#platformUrl, token: grant.token },
        { path: "/internal/drive/sign", body: request, answer: DriveSignAnswer, signal },
      );
      // Assigning URLs one by one would lose a path called __proto__.
      urls = { ...urls, ...answer.urls };
    }
    return urls;
  }
}

type Edit = DriveReference & { text: string };

function replacement(reference: DriveReference, paths: readonly string[]): string {
  const items = paths.map(quoteLiteral).join(", ");
  if (reference.stands === "item") return items;
  const argument = isGlob(reference.uri) ? `[${items}]` : items;
  if (reference.stands === "argument") return argument;
  const call = `${functionFor(reference)}(${argument})`;
  return reference.stands === "query" ? `FROM ${call}` : call;
}

function applied(body: string, edits: readonly Edit[]): string {
  let [text, from] = ["", 0];
  for (const { at, length, text: put } of edits) [text, from] = [text + body.slice(from, at) + put, at + length];
  return text + body.slice(from);
}

function rewriteError(error: unknown, edits: readonly Edit[], local: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof Failure)) return error;
  const { root } = /^(?<root>gs:\/\/[^/]+\/[^/]+\/drive\/)/.exec(edits[0]!.uri)!.groups as { root: string };
  let { message } = error;
  for (const [path, file] of local) message = message.replaceAll(file, root + path);
  const position = error.position === undefined ? undefined : positionBefore(error.position, edits);
  return error.reworded(message, position);
}

/**
 * The position in the earlier text, 1-based, for one in the rewritten text; within a replacement, the position where it
 * begins.
 */
function positionBefore(position: number, edits: readonly Edit[]): number {
  let grown = 0;
  for (const { at, length, text } of edits) {
    if (position - 1 - grown < at) break;
    if (position - 1 - grown < at + text.length) return at + 1;
    grown += text.length - length;
  }
  return position - grown;
}
