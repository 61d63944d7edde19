// The SQL of a semantic query is shown with the values that are bound to it and the joins it takes.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { queryHref } from "../../../api/query-link.ts";
import { Button, Code } from "../../../ui/controls.ts";
import { Snippet } from "../../../ui/data/snippet.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import type { Integration } from "../../../api/integrations.ts";
import { sqlQuery, type CubeQuery } from "../queries.ts";
import { withNamedValues } from "./named-values.ts";
import styles from "./result-pane.module.css";

type SqlPaneProps = { cube: Integration; lakeId: string | undefined; query: CubeQuery };

export function SqlPane({ cube, lakeId, query }: SqlPaneProps) {
  const statements = useQuery(sqlQuery(cube.id, query));
  const { integration_id: base } = cube.details;
  const integrationId = typeof base === "string" && base !== lakeId ? base : null;
  return (
    <div className={styles.sql}>
      <Loaded query={statements}>
        {(found) =>
          found.map(({ sql, values, join_path: joins, multiplied_cubes: multiplied }) => {
            const named = withNamedValues(sql, values);
            const href = queryHref({
              title: `SQL of ${cube.name}`,
              text: named.sql,
              integrationId,
              values: named.values,
            });
            return (
              <div key={sql} className={styles.statement}>
                <Snippet text={sql} label="SQL of the question" />
                {values.length > 0 && (
                  <p>
                    Bound in this order: <Code>{values.map((value) => JSON.stringify(value)).join(", ")}</Code>
                  </p>
                )}
                {joins.length > 0 && (
                  <ul className={styles.facts}>
                    {joins.map(({ from, to, relationship, sql: on }) => (
                      <li key={`${from} ${to}`}>
                        {from} joins {to}, {relationship.replaceAll("_", " ")}: <Code>{on}</Code>
                      </li>
                    ))}
                  </ul>
                )}
                {multiplied.length > 0 && (
                  <p>The joins repeat rows of {multiplied.join(", ")}: measures there are computed by distinct keys.</p>
                )}
                <div>
                  <Button size="xs" variant="default" component={Link} href={href}>
                    Open the SQL in the workspace
                  </Button>
                </div>
              </div>
            );
          })
        }
      </Loaded>
    </div>
  );
}
