// The base of every part of the catalog object: its storage, and readers whose roles are known.

import { DurableObject } from "cloudflare:workers";
import { KeptAccess } from "../access/kept-access.ts";
import type { Reader, ReaderName } from "../access/readers.ts";
import type { Answer } from "../../core/answer.ts";
import { OpenCatalog } from "./open-catalog.ts";

/** The members are properties and no methods, so that none of them can be called from outside the object. */
export abstract class StoredCatalog extends DurableObject<Env> {
  protected readonly catalog = new OpenCatalog(this.ctx.storage);
  protected readonly access = new KeptAccess();

  protected readonly storage = (): DurableObjectStorage => this.catalog.storage;
  protected readonly sql = (): SqlStorage => this.storage().sql;

  /** Refuses a digest whose roles are not known, before anything is read. */
  protected readonly readBy = <Value>(name: ReaderName, read: (reader: Reader) => Answer<Value>): Answer<Value> => {
    const found = this.access.find(this.sql(), name);
    return found.ok ? read(found.value) : found;
  };
}
