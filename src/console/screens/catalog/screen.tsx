// The catalog: the lake's tables, and everything that is known of each.

import { Route, Switch } from "wouter";
import { TablePage } from "./table/table-page.tsx";
import { TableList } from "./table-list.tsx";

export default function CatalogScreen() {
  return (
    <Switch>
      <Route path="/catalog/:id/:schema/:table">
        {({ id, schema, table }) => {
          const place = { integrationId: id, schema: decoded(schema), table: decoded(table) };
          return <TablePage key={`${id}/${schema}/${table}`} place={place} />;
        }}
      </Route>
      <Route>
        <TableList />
      </Route>
    </Switch>
  );
}

/** The router may have decoded it already; a name with a per cent sign that is no code stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
