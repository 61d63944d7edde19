// The phases of a statement on the lake.

/**
 * The parts of a statement on the lake, as its answer tells how long each took.
 *
 * | phase | what goes on |
 * |---|---|
 * | compile | a semantic query becomes SQL |
 * | gate | the text is read, and refused where it may not run |
 * | describe, plan, sign | the platform is asked for tables and for leave to write, for files, and for their URLs |
 * | fetch | files come in, of tables and of the drive, as far as they are not here; signing them is a part of it |
 * | prune | what need not be read is found out |
 * | wait | no process is free: to make SQL of a semantic query, or to run it |
 * | setup | the database is made ready and the statement planned |
 * | run | until the last row is there, but for what is written meanwhile |
 * | write | the reader of the answer takes it |
 * | commit | files that a statement has written are sent, and committed |
 */
export const PHASES = [
  "compile",
  "gate",
  "describe",
  "plan",
  "sign",
  "fetch",
  "prune",
  "wait",
  "setup",
  "run",
  "write",
  "commit",
] as const;
export type Phase = (typeof PHASES)[number];

/** The platform's work before a statement is sent: it finds out who asks, and what the statement is for. */
export const EARLIER_PHASES = ["authenticate", "prepare"] as const;
export type EarlierPhases = Partial<Record<(typeof EARLIER_PHASES)[number], number>>;
