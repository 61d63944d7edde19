import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import type { PublicationKind, PublicationRow } from "./publication.ts";
import { selectPublications } from "./store.ts";

/** A page of the team's publications of a kind, by name. */
export const listPublications = (
  { scope, db }: Needs<"scope" | "db">,
  kind: PublicationKind,
  page: Page,
): Promise<PageOf<PublicationRow>> => selectPublications(db, scope.teamId, kind, page);
