// The explorer shows the model's members, what is chosen of them, and the answer. The address holds all of it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useMay } from "../../api/me.ts";
import { Alert, Button, Choice, Modal, useDebouncedValue, useHotkeys } from "../../ui/controls.ts";
import { copyLink } from "../../ui/feedback/copy-link.ts";
import { SaveQueryForm } from "../../ui/forms/save-query-form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { useEscape } from "../../ui/use-escape.ts";
import { ChosenMembers } from "./choose/chosen-members.tsx";
import { MemberList } from "./choose/member-list.tsx";
import styles from "./explorer.module.css";
import type { Integration } from "../../api/integrations.ts";
import { answerQuery } from "./queries.ts";
import { ResultPane } from "./result/result-pane.tsx";
import {
  cubeQueryOf,
  has,
  isAskable,
  readExploration,
  textOf,
  withToggled,
  type Exploration,
} from "./state/exploration.ts";
import type { Member } from "./state/members.ts";
import { useSearch } from "../../ui/use-search.ts";

/** So long nothing is chosen before it is asked: several members are often chosen in a row. */
const QUIET_MS = 400;

type ExplorerProps = {
  cube: Integration;
  cubes: readonly Integration[];
  lakeId: string | undefined;
  members: readonly Member[];
};

export function Explorer({ cube, cubes, lakeId, members }: ExplorerProps) {
  const [search, changeSearch] = useSearch();
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const maySave = useMay("queries:write");
  const [isSaving, setSaving] = useState(false);
  const { exploration, unread } = readExploration(search.get("query"));
  const change = (next: Exploration) => changeSearch({ in: cube.id, query: textOf(next) });
  const [asked] = useDebouncedValue(JSON.stringify(cubeQueryOf(exploration)), QUIET_MS);
  const query = JSON.parse(asked) as Record<string, unknown>;
  const options = answerQuery(cube.id, query);
  const answer = useQuery({ ...options, enabled: isAskable(readExploration(asked).exploration) });
  const cancel = () => void cache.cancelQueries({ queryKey: options.queryKey });
  useHotkeys([["mod+Enter", () => void answer.refetch()]], []);
  useEscape(() => answer.isFetching && cancel());
  const share = () => copyLink(location.href, "asks the same");
  return (
    <Page
      title="Explore"
      isFull
      actions={
        <>
          <Choice
            size="xs"
            w={200}
            aria-label="Semantic model"
            data={cubes.map(({ id, name }) => ({ value: id, label: name }))}
            value={cube.id}
            onChange={(id) => navigate(`/explore?in=${id}`)}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="share" size={15} />}
            onClick={() => void share()}
          >
            Copy a link
          </Button>
          {maySave && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="saved" size={15} />}
              disabled={!isAskable(exploration)}
              onClick={() => setSaving(true)}
            >
              Save as query …
            </Button>
          )}
        </>
      }
    >
      <div className={styles.explorer}>
        <aside className={styles.side}>
          <MemberList
            members={members}
            isChosen={(name) => has(exploration, name)}
            onToggle={(member) => change(withToggled(exploration, member))}
          />
        </aside>
        <div className={styles.main}>
          {unread.length > 0 && (
            <Alert color="yellow" title="The address asks for more than is shown here" m="xs">
              The explorer has no place for these parts of its query, and asks without them: {unread.join(", ")}.
            </Alert>
          )}
          <ChosenMembers exploration={exploration} members={members} onChange={change} />
          <ResultPane
            cube={cube}
            lakeId={lakeId}
            exploration={exploration}
            query={query}
            members={members}
            answer={answer}
            onChange={change}
            onCancel={cancel}
          />
        </div>
      </div>
      <Modal opened={isSaving} onClose={() => setSaving(false)} title="Save the query">
        {isSaving && (
          <SaveQueryForm
            title={titleOf(exploration, members)}
            question={{ cube_query: cubeQueryOf(exploration) as Record<string, never>, integration_id: cube.id }}
            onSaved={() => setSaving(false)}
          />
        )}
      </Modal>
    </Page>
  );
}

/** As its measures and dimensions are called: `Orders Count by Customers Country`. */
function titleOf({ measures, dimensions, timeDimensions }: Exploration, members: readonly Member[]): string {
  const titled = (names: readonly string[]) =>
    names.map((name) => members.find((member) => member.name === name)?.title ?? name).join(", ");
  const by = titled([...dimensions, ...timeDimensions.map(({ dimension }) => dimension)]);
  return measures.length === 0 ? by : by === "" ? titled(measures) : `${titled(measures)} by ${by}`;
}
