// The colours and the font of charts, in light and in dark.

export const CHART_FONT = "Inter";

export type ThemeName = "light" | "dark";

export type Theme = {
  background: string;
  text: string;
  /** The colour of labels at axes and of captions. */
  muted: string;
  line: string;
  series: readonly string[];
  /** From the lowest value to the highest. */
  scale: readonly string[];
};

export const THEMES: Record<ThemeName, Theme> = {
  light: {
    background: "#ffffff",
    text: "#1f2937",
    muted: "#5b6472",
    line: "#e2e6ec",
    series: [
      "#2563eb",
      "#0d9488",
      "#d97706",
      "#db2777",
      "#7c3aed",
      "#65a30d",
      "#0891b2",
      "#dc2626",
      "#64748b",
      "#a16207",
    ],
    scale: ["#dbeafe", "#60a5fa", "#1e3a8a"],
  },
  dark: {
    background: "#16181d",
    text: "#e7eaf0",
    muted: "#a4acba",
    line: "#343a46",
    series: [
      "#60a5fa",
      "#2dd4bf",
      "#fbbf24",
      "#f472b6",
      "#a78bfa",
      "#a3e635",
      "#22d3ee",
      "#f87171",
      "#94a3b8",
      "#facc15",
    ],
    scale: ["#1e2b45", "#3b82f6", "#dbeafe"],
  },
};
