// Which rows of a Redshift table a merge has to read.

import type { ChangeRequest, FoundChanges } from "../../../extract/changes/changes.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import type { SnapshotRows } from "../../row-collector.ts";

export const findChanges = (_snapshot: SnapshotRows, { isFirstRun }: ChangeRequest): Promise<FoundChanges> =>
  Promise.resolve({
    changed: new ReadAllInstead(isFirstRun ? READ_ALL.firstRun : READ_ALL.noEarlierRun),
    baseline: null,
  });
