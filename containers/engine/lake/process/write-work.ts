// The request to a query process to write files, and its answer, which says what it wrote.

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import type { FileForm, WrittenFile } from "../../parquet/writer.ts";

/** A column of a query: what the lake would hold of it, or why it can't. Ids are not given yet. */
export type QueryColumn = { name: string; type: string; lake: LakeColumn | undefined };

/** A data file whose rows may be deleted: its address in the lake, and `local`, the path it is read from here. */
export type Deletable = {
  id: number;
  address: string;
  local: string;
  rows: number;
  deletes: { local: string; rows: number } | undefined;
};

export type WriteWork = {
  /** A statement to be run before, if any. */
  first?: string;
  /**
   * Its columns are {@link CHANGE}'s three, unless there are no `files`, and {@link cell}s in the order of `columns`.
   */
  select: string;
  /** Columns of the rows that are written; none where rows are only deleted. */
  columns: LakeColumn[];
  /** Files of the table whose rows change; absent where rows are only added. */
  files?: Deletable[];
  /** Questions about the rows that are added, which are the relation {@link WRITTEN}: SELECTs of one row of texts. */
  asks?: string[];
  /** A row may not be changed twice. */
  once: boolean;
  /** The form of the written files, where it differs from that of other statements. */
  form?: FileForm;
  /** The folder for the files, relative to the process's own folder. The caller owns it. */
  directory: string;
  /** The most bytes that may be on disk at once. */
  bytesMax: number;
};

/** Files lie at `file`, relative as `directory` is. */
export type LocalFile = WrittenFile & { file: string };

export type WriteWorkDone = {
  /** Rows that came, changed or went, each counted once. */
  count: number;
  files: LocalFile[];
  deletes: Array<{ dataFileId: number; file: Omit<LocalFile, "statistics"> }>;
  /** Data files none of whose rows are left. */
  ended: number[];
  /** The rows that answer {@link WriteWork.asks}, in their order; empty where no row was written. */
  answers: Text[][];
};

export type Text = string | null;

/** The relation of the rows that were written, under their columns' names. */
export const WRITTEN = '"fjord written"';

/** The columns of a change: which row goes, if any, and whether one comes. */
export const CHANGE = { file: '"fjord file"', position: '"fjord position"', comes: '"fjord comes"' };

/** The select's name of the value of column `i`: no name of a user's, so that none is taken for another. */
export const cell = (i: number): string => `"fjord cell ${i}"`;
