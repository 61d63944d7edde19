// A profile draws what is in a column: the catalog's statistics at once, the rest when it is asked for. Only columns
// that have come into view are asked about, because the exact figures cost a statement each.

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../api/schema.d.ts";
import { formatCount } from "../../../ui/data/format.ts";
import { asProblem } from "../../../api/problem.ts";
import { profileQuery, type TablePlace } from "../queries.ts";
import { barsOf } from "./bars.ts";
import styles from "./profile.module.css";
import { useSeen } from "../../../ui/use-seen.ts";

type LakeColumn = components["schemas"]["LakeColumn"];
type Profile = components["schemas"]["ColumnProfile"];
type ColumnProfileProps = { place: TablePlace; column: LakeColumn; snapshotId: number };

const HEIGHT = 30;
const WIDTH = 180;

export function ColumnProfileView({ place, column, snapshotId }: ColumnProfileProps) {
  const [frame, isSeen] = useSeen<HTMLDivElement>();
  const profile = useQuery({ ...profileQuery(place, column.name, snapshotId), enabled: isSeen });
  return (
    <div ref={frame} className={styles.profile}>
      {profile.data && <Bars profile={profile.data} />}
      {profile.isPending && isSeen && <div className={styles.waiting} role="status" aria-label="Profiling" />}
      <small>{profile.data ? factsOf(profile.data) : catalogFacts(column)}</small>
      {profile.error && <small>No profile: {asProblem(profile.error).message}</small>}
    </div>
  );
}

function Bars({ profile }: { profile: Profile }) {
  const bars = barsOf(profile);
  if (bars.length === 0) return null;
  const width = WIDTH / bars.length;
  const gap = bars.length > 30 ? 0.5 : 2;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={bars.map(({ label }) => label).join("; ")}
    >
      {bars.map(({ label, share, isNull }, at) => {
        const tall = Math.max(1, share * HEIGHT);
        return (
          <rect
            key={label}
            x={at * width + gap / 2}
            y={HEIGHT - tall}
            width={Math.max(0.5, width - gap)}
            height={tall}
            data-null={isNull || undefined}
          >
            <title>{label}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function factsOf({ null_share, distinct_count, min, max }: Profile): string {
  const facts = [
    distinct_count && `${distinct_count.exact ? "" : "about "}${formatCount(distinct_count.value)} distinct`,
    min && max && `${min.value} – ${max.value}`,
    null_share && (null_share.value === 0 ? "no NULL" : `${percent(null_share.value)} NULL`),
  ];
  return facts.filter(Boolean).join(" · ");
}

function catalogFacts({ statistics }: LakeColumn): string {
  if (!statistics) return "";
  const { min, max, null_count: nulls, value_count: values } = statistics;
  const facts = [
    min !== null && max !== null && `${min} – ${max}`,
    nulls !== null && values ? (nulls === 0 ? "no NULL" : `${percent(nulls / values)} NULL`) : "",
  ];
  return facts.filter(Boolean).join(" · ");
}

const percent = (share: number): string => (share < 0.001 ? "< 0.1%" : `${Number((share * 100).toFixed(1))}%`);
