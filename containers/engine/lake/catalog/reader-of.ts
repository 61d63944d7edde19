import type { LakeGrant } from "../../../../kernel/wire/engine.ts";

/** What grants that read the same of one lake have in common. A grant without a reader is its own, by its token. */
export const readerOf = ({ lakeId, reader, token }: LakeGrant): string => `${lakeId} ${reader ?? `by ${token}`}`;
