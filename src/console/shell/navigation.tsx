// The rail of screens: always there on a desktop, a sheet on a phone.

import type { MouseEvent } from "react";
import { Link, useRoute } from "wouter";
import { useMe } from "../api/me.ts";
import { GROUP_TITLES, SCREEN_LIST, type Screen, type ScreenGroup } from "../screens/screens.ts";
import { Icon } from "../ui/icons.tsx";
import { Wordmark } from "../ui/theme/wordmark.tsx";
import { mayOpen } from "./open-screen.ts";
import { UserMenu } from "./user-menu.tsx";
import styles from "./navigation.module.css";

export function Navigation({ isOpen, onPalette }: { isOpen: boolean; onPalette: () => void }) {
  const me = useMe();
  const open = SCREEN_LIST.filter((screen) => mayOpen(screen, me));
  const groups = (Object.keys(GROUP_TITLES) as ScreenGroup[])
    .map((group) => ({ group, screens: open.filter((screen) => screen.group === group) }))
    .filter(({ screens }) => screens.length > 0);
  return (
    <nav id="navigation" className={styles.rail} data-open={isOpen || undefined} aria-label="Screens">
      <div className={styles.head}>
        <Wordmark />
      </div>
      <button type="button" className={styles.search} onClick={onPalette}>
        <Icon name="search" size={16} />
        <span>Go to …</span>
        <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <div className={styles.groups}>
        {groups.map(({ group, screens }) => (
          <div key={group} className={styles.group}>
            {GROUP_TITLES[group] && <h2>{GROUP_TITLES[group]}</h2>}
            <ul>
              {screens.map((screen) => (
                <Entry key={screen.path} screen={screen} />
              ))}
            </ul>
          </div>
        ))}
      </div>
      <UserMenu />
    </nav>
  );
}

const isMac = /mac/i.test(navigator.userAgent);

function Entry({ screen: { title, icon, path } }: { screen: Screen }) {
  const [isHere] = useRoute(path === "/" ? "/" : `${path}/*?`);
  // The screen takes the focus that the link lets go, and the keyboard need not pass the rest of the rail.
  const letGo = (event: MouseEvent<HTMLElement>) => event.currentTarget.blur();
  return (
    <li>
      <Link href={path} aria-current={isHere ? "page" : undefined} onClick={letGo}>
        <Icon name={icon} />
        {title}
      </Link>
    </li>
  );
}
