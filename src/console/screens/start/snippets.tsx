// Snippets show how programs reach this platform: ready to paste, with its address. Each further way adds its own.

import { useMemo } from "react";
import { Snippet } from "../../ui/data/snippet.tsx";
import { Tabs } from "../../ui/controls.ts";
import { Panel } from "../../ui/layout/page.tsx";
import styles from "./snippets.module.css";

type Way = { name: string; textOf(baseUrl: string): string };

const SQL = "SELECT count(*) AS orders FROM LAKE.sample.orders";

const SNIPPETS: readonly Way[] = [
  {
    name: "curl",
    textOf: (baseUrl) => `curl -s ${baseUrl}/v1/query \\
  -H "Authorization: Bearer $FJORD_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"sql": "${SQL}"}'`,
  },
  {
    name: "Python",
    textOf: (baseUrl) => `import os, pyarrow as pa, requests

answer = requests.post(
    "${baseUrl}/v1/query",
    headers={
        "Authorization": f"Bearer {os.environ['FJORD_KEY']}",
        "Accept": "application/vnd.apache.arrow.stream",
    },
    json={"sql": "${SQL}"},
)
answer.raise_for_status()
table = pa.ipc.open_stream(answer.content).read_all()`,
  },
  {
    name: "JavaScript",
    textOf: (baseUrl) => `const answer = await fetch("${baseUrl}/v1/query", {
  method: "POST",
  headers: { Authorization: \`Bearer \${process.env.FJORD_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify({ sql: "${SQL}" }),
});
console.log((await answer.json()).data);`,
  },
  {
    name: "Cube client",
    textOf: (baseUrl) => `import cube from "@cubejs-client/core";

const api = cube(process.env.FJORD_KEY, { apiUrl: "${baseUrl}/cubejs-api/v1" });`,
  },
];

export function Snippets() {
  const baseUrl = location.origin;
  const snippets = useMemo(() => SNIPPETS.map(({ name, textOf }) => ({ name, text: textOf(baseUrl) })), [baseUrl]);
  return (
    <Panel title="From a program">
      <Tabs defaultValue={snippets[0]!.name} keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, text }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Snippet text={text} label={`${name}: ask for a result`} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <p className={styles.note}>
        A program needs an API key of its own: an admin makes it under People. The whole API is at{" "}
        <a href="/docs">{baseUrl}/docs</a>.
      </p>
    </Panel>
  );
}
