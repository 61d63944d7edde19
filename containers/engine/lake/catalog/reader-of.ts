import type { LakeGrant } from "../../../../kernel/wire/engine.ts";

/**
 * The key that grants which read the same of one lake have in common. A grant without a reader is its own, by its
 * token.
 */
export const readerOf = ({ lakeId, reader, token }: LakeGrant): string => `${lakeId} ${reader ?? `by ${token}`}`;
