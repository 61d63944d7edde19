// The team's drive as runs and their workers meet it, however it gets here.

import type { z } from "zod";

/** Asks the platform with a run's token; rejects when the platform refuses, or can't be reached. */
export type Ask = <T>(path: string, body: unknown, answer: z.ZodType<T>) => Promise<T>;

/**
 * A reader of the drive: a run, for as long as it may read. `report` says to a doc's author what their code sees as an
 * I/O error.
 */
export type DriveReader = { ask: Ask; report: (text: string) => void };

/** The drive as one worker has it. */
export type DriveFolder = {
  /** A folder of this machine, to be shown to the worker. */
  directory: string;
  /** Whether a worker that has not begun to work can still use it. */
  isCurrent(): boolean;
  /** From here on it is read for this reader, with the reader's own right. */
  open(reader: DriveReader): void;
  /** The reason why something could not be shown, for a doc's author; null where nothing was missed. */
  problem(): string | null;
  /** Ends the reading. */
  close(): void;
};

export type Drive = {
  kind: "mount" | "mirror";
  /** Makes it ready for a run that begins now. Answers what is wrong with it, for a doc's author, or null. */
  refresh(ask: Ask): Promise<string | null>;
  place(): DriveFolder;
  stop(): Promise<void>;
};

const NAME_BYTES_MAX = 255;

/** Whether a path of the drive is one of a file below a folder, on this machine. */
export const isPlain = (path: string): boolean => path.split("/").every((name) => isPlainName(name));
export const isPlainName = (name: string): boolean =>
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  !/[\0/]/.test(name) &&
  name.isWellFormed() &&
  Buffer.byteLength(name) <= NAME_BYTES_MAX;
