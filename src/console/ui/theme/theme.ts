// The console's look as design tokens: colours, fonts and sizes that Mantine's components take, in light and in dark.

import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { BusyButton } from "./busy-button.tsx";

/** Deep water: the one accent. */
const FJORD: MantineColorsTuple = [
  "#e6f5f6",
  "#cfe9ec",
  "#9fd4d9",
  "#6bbdc5",
  "#43a9b3",
  "#2896a2",
  "#107f8c",
  "#0b6774",
  "#0a5460",
  "#07414b",
];

/** Greys with a little blue in them, so that surfaces and the accent are of one family. */
const SLATE: MantineColorsTuple = [
  "#f6f8f9",
  "#edf1f3",
  "#dfe5e8",
  "#cbd4d9",
  "#a5b2ba",
  "#7d8d97",
  "#5b6b75",
  "#43525c",
  "#2d3a43",
  "#1a242b",
];

const DARK: MantineColorsTuple = [
  "#d5dee3",
  "#b3c0c7",
  "#8b9aa3",
  "#63737d",
  "#3c4b55",
  "#2c3a43",
  "#212d35",
  "#18222a",
  "#111a20",
  "#0b1217",
];

/** Dark enough for white words on the shades that buttons have. */
const RED: MantineColorsTuple = [
  "#fbe9e7",
  "#f6cfcb",
  "#eda59f",
  "#e37b73",
  "#da564c",
  "#d03b30",
  "#c5362c",
  "#b3261e",
  "#9a1f18",
  "#7d1812",
];

const CLOSE = { closeButtonProps: { "aria-label": "Close" } };

/** The options scroll by themselves, which screen readers know of a list that a field opens. */
const OPTIONS = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: "220px", overflowY: "auto" as const } },
};

export const theme = createTheme({
  colors: { fjord: FJORD, gray: SLATE, dark: DARK, red: RED },
  primaryColor: "fjord",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 6,
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  components: {
    // The title in the alert's own colour would be too pale to read where that is yellow.
    Alert: { styles: { title: { color: "var(--text)" } } },
    Button: { defaultProps: { size: "sm", component: BusyButton } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", component: BusyButton } },
    TextInput: { defaultProps: { size: "sm" } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, ...CLOSE },
      styles: { title: { fontWeight: 620 } },
    },
    Drawer: { defaultProps: CLOSE },
    Select: OPTIONS,
    MultiSelect: OPTIONS,
    Autocomplete: OPTIONS,
    TagsInput: OPTIONS,
    // A menu may hold items alone, of which the first has the focus when it opens.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
  },
});

/** Names for what the screens draw themselves, so that no screen names a colour. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--rail-width": "232px",
    "--rail-background": "#0b2a36",
    "--rail-text": "#b9d0d8",
    "--rail-active": "#11495a",
  },
  light: {
    "--mantine-color-body": "#fbfcfd",
    "--surface": "#ffffff",
    "--surface-sunken": "#f3f6f7",
    "--line": "#dfe5e8",
    "--text": "#1a242b",
    "--text-dim": "#51616b",
    "--link": "#0b6774",
    "--mantine-color-anchor": "#0b6774",
    "--good": "#1f7a4d",
    "--bad": "#b3261e",
    "--warn": "#8a5a00",
    "--busy": "#0b6774",
    "--good-soft": "#e3f3ea",
    "--bad-soft": "#fbe9e7",
    "--warn-soft": "#fbf1dc",
    "--busy-soft": "#e1f1f3",
    "--mark": "#fff3c4",
    "--mantine-color-dimmed": "#51616b",
    "--code-keyword": "#0b6774",
    "--code-text": "#8a4b08",
    "--code-number": "#6b3fa0",
    "--code-name": "#1f6f4a",
  },
  dark: {
    "--mantine-color-body": "#0f171c",
    "--surface": "#141e25",
    "--surface-sunken": "#0b1217",
    "--line": "#26333c",
    "--text": "#dbe4e9",
    "--text-dim": "#93a4ae",
    "--link": "#6bbdc5",
    "--mantine-color-anchor": "#6bbdc5",
    "--good": "#62c793",
    "--bad": "#f28b82",
    "--warn": "#e3b341",
    "--busy": "#6bbdc5",
    "--good-soft": "#12301f",
    "--bad-soft": "#3a1b19",
    "--warn-soft": "#33280f",
    "--busy-soft": "#10303a",
    "--mark": "#4a3f14",
    "--mantine-color-dimmed": "#93a4ae",
    "--code-keyword": "#6bbdc5",
    "--code-text": "#e0a871",
    "--code-number": "#b79ee0",
    "--code-name": "#7fc9a4",
  },
});
