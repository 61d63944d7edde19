// The SQL workspace: tabs with drafts, an editor, and each tab's own result. The address names the tab.

import { useEffect, useMemo, useRef } from "react";
import { useLocation, useRoute } from "wouter";
import { useMe } from "../../api/me.ts";
import { readLinked } from "../../api/query-link.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { openSaved } from "./keep/open-saved.ts";
import { remember } from "./keep/history.ts";
import { onRunEnd } from "./run/run-store.ts";
import { tabStoreOf, useTabs } from "./tabs/tab-store.ts";
import { Workspace } from "./workspace.tsx";

export default function QueryScreen() {
  const { team, user } = useMe();
  const owner = `${team.id}:${user.id}`;
  const store = useMemo(() => tabStoreOf(owner), [owner]);
  useTabs(store);
  const [, params] = useRoute("/query/:tabId?");
  const [, navigate] = useLocation();
  const open = store.open;
  const opening = useRef<string>(undefined);
  const tab = open.find(({ id }) => id === params?.tabId);

  useEffect(() => onRunEnd((run) => remember(owner, run)), [owner]);

  useEffect(() => {
    if (tab) {
      store.lastId = tab.id;
      return;
    }
    const shared = readLinked(location.hash);
    const savedId = new URLSearchParams(location.search).get("saved");
    if (savedId !== null) {
      // The screen is drawn again while the query comes, and it must come once.
      if (opening.current === savedId) return;
      opening.current = savedId;
      openSaved(store, savedId)
        .then(
          (id) => navigate(`/query/${id}`, { replace: true }),
          (error: Error) => {
            showToast(error.message, "bad");
            navigate("/query", { replace: true });
          },
        )
        .finally(() => {
          opening.current = undefined;
        });
      return;
    }
    if (shared) navigate(`/query/${store.add(shared).id}`, { replace: true });
    else navigate(`/query/${(open.find(({ id }) => id === store.lastId) ?? open.at(-1)!).id}`, { replace: true });
  }, [tab, store, open, navigate]);

  return tab ? <Workspace key={owner} owner={owner} store={store} tab={tab} /> : null;
}
