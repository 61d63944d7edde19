// Every screen stands within this provider, which brings the theme and hands the page's nonce to styles made at run
// time.

import "@mantine/core/styles.css";
import "./base.css";
import {
  MantineProvider,
  localStorageColorSchemeManager,
  type MantineColorSchemeManager,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme.ts";

const remembered = localStorageColorSchemeManager({ key: "fjord-color-scheme" });
/** Within another page nothing is remembered. */
const given: MantineColorSchemeManager = {
  get: (scheme) => scheme,
  set() {},
  clear() {},
  subscribe() {},
  unsubscribe() {},
};

/** The nonce of the page, without which the browser takes no style that a script adds. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// What keeps the page still behind a dialog adds a style, too, and asks for the nonce where webpack would have left it.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

type ThemeProviderProps = {
  /** The scheme of whoever frames the page; the reader's own choice where it is absent. */
  scheme?: ColorScheme;
  children: ReactNode;
};

export const ThemeProvider = ({ scheme, children }: ThemeProviderProps) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={scheme === undefined ? remembered : given}
    defaultColorScheme="auto"
    {...(scheme !== undefined && scheme !== "auto" && { forceColorScheme: scheme })}
    getStyleNonce={pageNonce}
  >
    {children}
  </MantineProvider>
);

export type ColorScheme = "auto" | "light" | "dark";

/** The chosen colour scheme, and how another is chosen; the browser remembers it. */
export function useColorScheme(): [ColorScheme, (scheme: ColorScheme) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [colorScheme, setColorScheme];
}

/** Whether what is drawn is dark now, by choice or by the system. */
export const useIsDark = (): boolean => useComputedColorScheme("light") === "dark";
