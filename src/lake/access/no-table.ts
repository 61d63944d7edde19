// A table that is not there, and one that its reader may not see, are refused alike.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { refuse } from "../../core/answer.ts";

export const noTable = ({ schema, name }: LakeTableName) =>
  refuse("resource_not_found", `Table ${schema}.${name} was not found.`);
