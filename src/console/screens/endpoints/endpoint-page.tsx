// One endpoint: how it is called, how it does, its keys and its secret for signed tokens.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { SimpleGrid } from "../../ui/controls.ts";
import { formatCount, formatDuration } from "../../ui/data/format.ts";
import { Snippet } from "../../ui/data/snippet.tsx";
import { Time } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { Sparkline } from "../../ui/figures/sparkline.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { EndpointKeys } from "./endpoint-keys.tsx";
import styles from "./endpoint-page.module.css";

type Endpoint = components["schemas"]["Endpoint"];

const REFRESH_MS = 15_000;
const SECRET_OVERLAP_SECONDS = 3_600;

export function EndpointPage({ id }: { id: string }) {
  const endpoint = useQuery({
    queryKey: ["endpoints", id],
    queryFn: () => dataOf(api.GET("/v4/endpoints/{endpoint_id}", { params: { path: { endpoint_id: id } } })),
  });
  return <Loaded query={endpoint}>{(found) => <Details endpoint={found} />}</Loaded>;
}

function Details({ endpoint }: { endpoint: Endpoint }) {
  const [, navigate] = useLocation();
  const withdraw = useAction(
    () => bodyOf(api.DELETE("/v4/endpoints/{endpoint_id}", { params: { path: { endpoint_id: endpoint.id } } })),
    { renews: ["endpoints"], onDone: () => navigate("/endpoints") },
  );
  const call = `curl -s "${location.origin}${endpoint.path}" -H "Authorization: Bearer $ENDPOINT_KEY"`;
  return (
    <Page
      title={endpoint.name}
      lead={endpoint.description}
      trail={<Link href="/endpoints">Endpoints</Link>}
      actions={
        <ConfirmButton
          question="Every program that calls it gets 404 from now on, and its keys are gone."
          verb="Withdraw"
          isBusy={withdraw.isPending}
          onConfirm={() => withdraw.mutate()}
        >
          Withdraw
        </ConfirmButton>
      }
    >
      <Panel title="How it is called">
        <Snippet text={call} label="The command that calls it" />
        <p>
          Version {endpoint.query_version} of <Link href={`/queries/${endpoint.query_id}`}>its saved query</Link>, at
          most {formatCount(endpoint.rate_per_minute)} calls a minute of one key.
        </p>
      </Panel>
      <Statistics endpoint={endpoint} />
      <EndpointKeys endpoint={endpoint} />
      <Secret endpoint={endpoint} />
    </Page>
  );
}

function Statistics({ endpoint }: { endpoint: Endpoint }) {
  const statistics = useQuery({
    queryKey: ["endpoints", endpoint.id, "statistics"],
    queryFn: () =>
      dataOf(
        api.GET("/v4/endpoints/{endpoint_id}/statistics", {
          params: { path: { endpoint_id: endpoint.id }, query: {} },
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title="How it does">
      <Loaded query={statistics}>
        {({ calls, errors, cache_hits: hits, p50_ms: p50, p99_ms: p99, hours }) => (
          <>
            <SimpleGrid cols={{ base: 2, sm: 5 }}>
              <Figure name="Calls" value={formatCount(calls)} />
              <Figure name="Errors" value={formatCount(errors)} />
              <Figure name="From the cache" value={formatCount(hits)} />
              <Figure name="Half within" value={p50 === null ? "none yet" : formatDuration(p50)} />
              <Figure name="99 of 100 within" value={p99 === null ? "none yet" : formatDuration(p99)} />
            </SimpleGrid>
            <Sparkline label="Calls in each hour" values={hours.map((hour) => hour.calls)} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className={styles.figure}>
    <b>{value}</b>
    <small>{name}</small>
  </div>
);

function Secret({ endpoint }: { endpoint: Endpoint }) {
  const rotate = useAction(
    () =>
      dataOf(
        api.POST("/v4/endpoints/{endpoint_id}/secret", {
          params: { path: { endpoint_id: endpoint.id } },
          body: { overlap_seconds: endpoint.takes_tokens ? SECRET_OVERLAP_SECONDS : 0 },
        }),
      ),
    { renews: ["endpoints", endpoint.id] },
  );
  return (
    <Panel title="Signed tokens">
      <p>
        An application that knows the secret signs tokens for its own users: each binds parameters that the request
        cannot change, and ends within a day.
      </p>
      {endpoint.previous_secret_until && (
        <small>
          The secret before works until <Time at={endpoint.previous_secret_until} />.
        </small>
      )}
      {rotate.data && <ShownOnce title="The secret" secret={rotate.data.secret} />}
      <div>
        <ConfirmButton
          question={
            endpoint.takes_tokens ? "Tokens of the secret before are taken for one more hour." : "A secret is made."
          }
          verb={endpoint.takes_tokens ? "Make a new secret" : "Make the secret"}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        >
          {endpoint.takes_tokens ? "Make a new secret" : "Take tokens"}
        </ConfirmButton>
      </div>
    </Panel>
  );
}
