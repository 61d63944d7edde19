// A newcomer's steps, each ticked by what is there and not by a click; gone once all are done, or when it is put away.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { integrationsQuery } from "../../api/integrations.ts";
import { useMe } from "../../api/me.ts";
import { ActionIcon } from "../../ui/controls.ts";
import { Icon } from "../../ui/icons.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import styles from "./checklist.module.css";

type Step = { title: string; text: string; href: string; isDone: boolean };

const DATABASES = new Set(["postgres", "mysql", "redshift", "sqlserver", "bigquery", "snowflake"]);

export function Checklist() {
  const { team, rights } = useMe();
  const key = `fjord-checklist-${team.id}`;
  const [isAway, setAway] = useState(() => localStorage.getItem(key) === "away");
  const integrations = useQuery({ ...integrationsQuery, enabled: !isAway });
  const syncs = useQuery({
    queryKey: ["syncs", "first"],
    queryFn: () => bodyOf(api.GET("/v1/api/syncs", { params: { query: { limit: 1 } } })),
    enabled: !isAway,
  });
  const queries = useQuery({
    queryKey: ["queries", "first"],
    queryFn: () => dataOf(api.GET("/v4/queries", { params: { query: { limit: 1 } } })),
    enabled: !isAway,
  });
  const docs = useQuery({
    queryKey: ["docs", "first"],
    queryFn: () => dataOf(api.GET("/v4/docs", { params: { query: { limit: 1 } } })),
    enabled: !isAway,
  });
  if (isAway || !rights.includes("integrations:write")) return null;
  if (!integrations.data || !syncs.data || !queries.data || !docs.data) return null;
  const steps: Step[] = [
    {
      title: "Ask the sample",
      text: "A shop's orders lie in the lake already: ask which categories sell best, and save the question.",
      href: "/query",
      isDone: queries.data.total > 0,
    },
    {
      title: "Connect a database",
      text: "PostgreSQL, MySQL, Redshift, SQL Server, BigQuery or Snowflake; a role that can only read is best.",
      href: "/integrations",
      isDone: integrations.data.some(({ type }) => DATABASES.has(type)),
    },
    {
      title: "Sync its tables into the lake",
      text: "Each hour or day, changed rows alone, committed exactly once.",
      href: "/syncs",
      isDone: syncs.data.data.length > 0,
    },
    {
      title: "Build something on it",
      text: "A doc's datasets build tables and run Python; a dashboard draws them.",
      href: "/docs",
      isDone: docs.data.total > 0,
    },
  ];
  if (steps.every((step) => step.isDone)) return null;
  const putAway = () => {
    localStorage.setItem(key, "away");
    setAway(true);
  };
  return (
    <Panel
      title="First steps"
      actions={
        <ActionIcon aria-label="Put the first steps away" onClick={putAway}>
          <Icon name="close" size={16} />
        </ActionIcon>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ title, text, href, isDone }) => (
          <li key={title} data-done={isDone || undefined}>
            <span className={styles.tick} role="img" aria-label={isDone ? "Done" : "Not yet"}>
              {isDone && <Icon name="check" size={14} />}
            </span>
            <div>
              <Link href={href}>{title}</Link>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
