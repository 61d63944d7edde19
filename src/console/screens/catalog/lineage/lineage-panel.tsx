// A table's lineage as a graph of tables and the datasets that build them, and its columns' sources below.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { asProblem } from "../../../api/problem.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { columnLineageQuery, lineageQuery, tableHref, type TablePlace } from "../queries.ts";
import { graphAround, idOf, type Graph, type GraphNode } from "./graph.ts";
import styles from "./lineage.module.css";

const NODE = { width: 190, height: 52 };
const GAP = { x: 70, y: 16 };
const NAME_LETTERS = 24;

export function LineagePanel({ place }: { place: TablePlace }) {
  const lineage = useQuery(lineageQuery(place.integrationId));
  const centre = { schema: place.schema, name: place.table };
  return (
    <Loaded query={lineage}>
      {({ items }) => {
        const graph = graphAround(centre, items);
        if (graph.nodes.length === 1 && !graph.nodes[0]!.builtBy)
          return (
            <EmptyState title="No doc builds it or reads it">
              Lineage is what docs' runs record: a dataset that is published as a table, and the tables it read.
            </EmptyState>
          );
        const isBuilt = items.some((table) => idOf(table) === idOf(centre));
        return (
          <div className={styles.panel}>
            <LineageGraph graph={graph} integrationId={place.integrationId} centre={idOf(centre)} />
            {isBuilt && <ColumnSources place={place} />}
          </div>
        );
      }}
    </Loaded>
  );
}

type LineageGraphProps = { graph: Graph; integrationId: string; centre: string };

function LineageGraph({ graph, integrationId, centre }: LineageGraphProps) {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const width = graph.layers * (NODE.width + GAP.x) - GAP.x + 2;
  const height = graph.rows * (NODE.height + GAP.y) - GAP.y + 2;
  return (
    <section className={styles.frame} aria-label="Lineage" tabIndex={0}>
      <svg
        width={width}
        height={height}
        viewBox={`-1 -1 ${width} ${height}`}
        role="group"
        aria-label="Tables and what they are made of"
      >
        {graph.edges.map(({ from, to }) => (
          <Edge key={`${from} ${to}`} from={byId.get(from)!} to={byId.get(to)!} />
        ))}
        {graph.nodes.map((node) => (
          <Node key={node.id} node={node} integrationId={integrationId} isCentre={node.id === centre} />
        ))}
      </svg>
    </section>
  );
}

const xOf = ({ layer }: GraphNode): number => layer * (NODE.width + GAP.x);
const yOf = ({ row }: GraphNode): number => row * (NODE.height + GAP.y);

function Edge({ from, to }: { from: GraphNode; to: GraphNode }) {
  const [x, y] = [xOf(from) + NODE.width, yOf(from) + NODE.height / 2];
  const [endX, endY] = [xOf(to), yOf(to) + NODE.height / 2];
  const bend = (x + endX) / 2;
  return <path className={styles.edge} d={`M${x} ${y}C${bend} ${y} ${bend} ${endY} ${endX} ${endY}`} />;
}

const shortened = (text: string): string => (text.length > NAME_LETTERS ? `${text.slice(0, NAME_LETTERS - 1)}…` : text);

type NodeProps = { node: GraphNode; integrationId: string; isCentre: boolean };

function Node({ node, integrationId, isCentre }: NodeProps) {
  const { schema, name, builtBy } = node;
  const full = `${schema}.${name}`;
  const below = builtBy ? `dataset ${builtBy.dataset_key}` : "no doc builds it";
  return (
    <Link href={`${tableHref({ integrationId, schema, table: name })}?tab=lineage`} className={styles.node}>
      <g
        transform={`translate(${xOf(node)} ${yOf(node)})`}
        data-centre={isCentre || undefined}
        data-state={builtBy?.state}
        className={styles.box}
      >
        {full.length > NAME_LETTERS && <title>{full}</title>}
        <rect width={NODE.width} height={NODE.height} rx={6} />
        <text x={12} y={22}>
          {shortened(full)}
        </text>
        <text x={12} y={39} className={styles.below}>
          {shortened(below)}
        </text>
      </g>
    </Link>
  );
}

function ColumnSources({ place }: { place: TablePlace }) {
  const detail = useQuery(columnLineageQuery(place));
  if (detail.error && asProblem(detail.error).status === 404) return null;
  return (
    <Loaded query={detail}>
      {({ columns, doc_id, dataset_key }) => (
        <>
          <p>
            Built by the dataset <Link href={`/docs/${doc_id}`}>{dataset_key}</Link>.
          </p>
          {columns === null ? (
            <p>Which columns it is made of is not recorded for this dataset.</p>
          ) : (
            <ListTable
              label="Columns and their sources"
              rows={columns}
              keyOf={({ name }) => name}
              columns={[
                { name: "Column", cell: ({ name }) => name },
                {
                  name: "Is made of",
                  cell: ({ is_known, sources }) =>
                    is_known
                      ? sources.map(({ schema, name, column }) => `${schema}.${name}.${column}`).join(", ") ||
                        "no column"
                      : "not known",
                },
              ]}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
