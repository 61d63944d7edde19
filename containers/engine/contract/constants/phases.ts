// The parts that the time of a statement on the lake is told in.

/**
 * The parts of a statement on the lake, as its answer tells how long each took.
 *
 * | phase | what goes on |
 * |---|---|
 * | gate | the text is read, and refused where it may not run |
 * | describe, plan, sign | the platform is asked for tables, their files, and URLs of these |
 * | fetch | files come in, as far as they are not here; signing them is a part of it |
 * | prune | what need not be read is found out |
 * | wait | no query process is free |
 * | setup | the database is made ready and the statement planned |
 * | run | until the last row is there, but for what is written meanwhile |
 * | write | the reader of the answer takes it |
 */
export const PHASES = ["gate", "describe", "plan", "sign", "fetch", "prune", "wait", "setup", "run", "write"] as const;
export type Phase = (typeof PHASES)[number];
