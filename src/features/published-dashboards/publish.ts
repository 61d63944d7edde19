import type { Needs } from "../../clients/context.ts";
import { invalidAt, missingAt, Problem } from "../../core/problem.ts";
import { requireDoc } from "../docs/find.ts";
import { readDrawnVersion } from "../docs/versions/read-drawn.ts";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";
import type { Published } from "../publications/publication.ts";
import { readPages } from "./pages.ts";
import { parametersOf, publishedContent, type DashboardContent } from "./content.ts";

/** The doc at a version, or at its newest, as it is published. Throws `validation_failed` for what can't be. */
export async function readPublished(
  ctx: Needs<"scope" | "db" | "bucket">,
  id: string,
  version?: number,
): Promise<Published> {
  if (!ctx.scope.rights.includes("docs:read"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "Who publishes a doc shows what it draws: this needs the right docs:read.",
    );
  const doc = await requireDoc(ctx, id).catch(missingAt("/doc_id"));
  if (doc.archived_at !== null) throw refused("This doc is archived; restore it first.");
  if (doc.kind !== "dashboard") throw refused(`The doc is of kind ${doc.kind}: only a dashboard is published.`);
  const subjectVersion = version ?? doc.version;
  const found = await readDrawnVersion(ctx, doc.id, subjectVersion).catch(missingAt("/doc_version"));
  if (found.drawn.layout.tiles.length === 0) throw refused(`Version ${subjectVersion} draws no tile.`);
  const content = JSON.stringify(publishedContent(found, await readPages(ctx, found.drawn.layout.tiles)));
  const bytes = new TextEncoder().encode(content).length;
  if (bytes > PUBLICATION_LIMITS.contentBytesMax)
    throw refused(`What is published has ${bytes} bytes; it may have ${PUBLICATION_LIMITS.contentBytesMax}.`);
  return { subjectId: doc.id, subjectVersion, content };
}

const refused = (message: string): Problem => invalidAt("/doc_id", message);

/** Throws `validation_failed` with each open parameter that no dataset has. */
export function requireParameters(content: DashboardContent, names: readonly string[]): void {
  const known = parametersOf(content);
  const flaws = names.flatMap((name, i) =>
    known.has(name) ? [] : [{ pointer: `/open_parameters/${i}`, message: `No dataset has a parameter ${name}.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
}
