// A screen may be opened by callers with its right, and its code is fetched when it is opened for the first time.

import { lazy, type ComponentType } from "react";
import type { Me } from "../api/me.ts";
import type { Screen, ScreenName } from "../screens/screens.ts";

export const mayOpen = ({ right }: Screen, me: Me): boolean => right === "any_key" || me.rights.includes(right);

const components = new Map<ScreenName, ComponentType>();

export function componentOf(screen: Screen & { name: ScreenName }): ComponentType {
  const component = components.get(screen.name) ?? lazy(screen.load);
  components.set(screen.name, component);
  return component;
}
