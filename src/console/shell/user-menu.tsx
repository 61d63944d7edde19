// The menu of whoever is signed in: team and role, colour scheme, signing out.

import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMe } from "../api/me.ts";
import { signOut } from "../api/identity/sign-in.ts";
import { Menu, UnstyledButton, VisuallyHidden } from "../ui/controls.ts";
import { Icon } from "../ui/icons.tsx";
import { useColorScheme, type ColorScheme } from "../ui/theme/provider.tsx";
import styles from "./user-menu.module.css";
import { useAction } from "../ui/feedback/use-action.ts";

const SCHEMES: Record<ColorScheme, string> = { auto: "As the system", light: "Light", dark: "Dark" };

export function UserMenu() {
  const { user, team, role, is_operator: isOperator } = useMe();
  const cache = useQueryClient();
  const [scheme, setScheme] = useColorScheme();
  const signingOut = useAction(signOut, {
    onDone: () => {
      cache.clear();
      location.assign("/app");
    },
  });
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={styles.user}>
          <span className={styles.initial} aria-hidden="true">
            {user.name.slice(0, 1).toUpperCase()}
          </span>
          <VisuallyHidden>Menu of</VisuallyHidden>
          <span className={styles.names}>
            <b>{user.name}</b>
            <small>{team.name}</small>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.email} · {role}
          {isOperator && ", operator"}
        </Menu.Label>
        <Menu.Item component={Link} href="/account" leftSection={<Icon name="key" size={16} />}>
          Account and sessions
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<Icon name="endpoint" size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={scheme} onChange={(next) => setScheme(next as ColorScheme)}>
          {(Object.keys(SCHEMES) as ColorScheme[]).map((each) => (
            <Menu.RadioItem key={each} value={each}>
              {SCHEMES[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => signingOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
