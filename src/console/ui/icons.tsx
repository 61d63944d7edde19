// The console's icons: strokes on a grid of 20, drawn here, so that no library and no font has to be loaded for them.

const PATHS = {
  home: "M3 9.5 10 3.5l7 6M5 8.5V16.5h3.5v-4h3v4H15V8.5",
  query: "M3.5 4.5h13v11h-13zM6 8l2.2 2L6 12M10 12.5h4",
  explore: "M3.5 16.5v-5M8 16.5v-9M12.5 16.5v-6M17 16.5v-12",
  dashboard: "M3.5 3.5h6v7h-6zM12 3.5h4.5v4H12zM12 10h4.5v6.5H12zM3.5 13h6v3.5h-6z",
  saved: "M5.5 3.5h9v13L10 13l-4.5 3.5z",
  knowledge: "M10 5.5C8.5 4 6 3.5 3.5 4v11.5c2.5-.5 5 0 6.5 1.5 1.5-1.5 4-2 6.5-1.5V4C14 3.5 11.5 4 10 5.5zM10 5.5V17",
  endpoint: "M7.5 6.5 4 10l3.5 3.5M12.5 6.5 16 10l-3.5 3.5",
  model: "M10 3 16.5 6.5v7L10 17l-6.5-3.5v-7zM3.5 6.5 10 10l6.5-3.5M10 10v7",
  catalog:
    "M10 3c3.6 0 6.5 1.1 6.5 2.5S13.6 8 10 8 3.5 6.9 3.5 5.5 6.4 3 10 3zM3.5 5.5v9C3.5 15.9 6.4 17 10 17s6.5-1.1 6.5-2.5v-9M3.5 10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5",
  integration: "M7 3.5v3.5M13 3.5v3.5M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5v2.5",
  sync: "M4 8.5A6.2 6.2 0 0 1 15.5 7M16 3.5V7h-3.5M16 11.5A6.2 6.2 0 0 1 4.5 13M4 16.5V13h3.5",
  drive: "M3 6V15.5h14V7H9.5L8 4.5H3z",
  doc: "M5 3h6.5L15 6.5V17H5zM11.5 3v3.5H15M7.5 10h5M7.5 13h5",
  automation: "M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13zM10 6.5V10l2.5 2",
  delivery: "M3.5 5h13v10h-13zM3.5 5.5 10 11l6.5-5.5",
  alert:
    "M10 3.5a4.5 4.5 0 0 1 4.5 4.5c0 4 1.5 5 1.5 5.5H4C4 13 5.5 12 5.5 8A4.5 4.5 0 0 1 10 3.5zM8.3 16a1.8 1.8 0 0 0 3.4 0",
  lake: "M3 7c1.2-1 2.3-1 3.5 0s2.3 1 3.5 0 2.3-1 3.5 0 2.3 1 3.5 0M3 11c1.2-1 2.3-1 3.5 0s2.3 1 3.5 0 2.3-1 3.5 0 2.3 1 3.5 0M3 15c1.2-1 2.3-1 3.5 0s2.3 1 3.5 0 2.3-1 3.5 0 2.3 1 3.5 0",
  people:
    "M7.5 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5zM3 16c0-2.8 2-4.5 4.5-4.5S12 13.2 12 16M12.5 4.3a2.5 2.5 0 0 1 0 4.4M14 11.9c1.8.6 3 2 3 4.1",
  usage: "M4 13a6.5 6.5 0 1 1 12 0M10 12l3-4",
  settings:
    "M4 6h7M14.5 6H16M4 14h1.5M9 14h7M12.7 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3zM7.3 12.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3z",
  account: "M10 3.5a3 3 0 1 0 0 6 3 3 0 1 0 0-6zM4 16.5c0-3 2.7-5 6-5s6 2 6 5",
  teams: "M3.5 17V7L10 3.5 16.5 7v10M8 17v-4h4v4M7 8.5h1M12 8.5h1",
  search: "M9 4a5 5 0 1 0 0 10A5 5 0 1 0 9 4zM12.7 12.7 16.5 16.5",
  menu: "M3.5 6h13M3.5 10h13M3.5 14h13",
  close: "M5 5l10 10M15 5 5 15",
  plus: "M10 4v12M4 10h12",
  play: "M6 4l10 6-10 6z",
  stop: "M5.5 5.5h9v9h-9z",
  chevronRight: "M7.5 4.5 13 10l-5.5 5.5",
  chevronDown: "M4.5 7.5 10 13l5.5-5.5",
  download: "M10 3.5v9M6 9l4 4 4-4M3.5 16.5h13",
  upload: "M10 13V4M6 7.5l4-4 4 4M3.5 16.5h13",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  table: "M3.5 4.5h13v11h-13zM3.5 8h13M8 8v7.5",
  column: "M8 4.5h4v11H8z",
  check: "M4 10.5 8 14.5 16 5.5",
  history: "M4 10a6 6 0 1 0 2-4.5L4 7.5M4 4v3.5h3.5M10 7v3.5l2.5 1.5",
  share:
    "M7.5 10.5l5-3M7.5 11.5l5 3M5.5 9a2 2 0 1 0 0 4 2 2 0 1 0 0-4zM14.5 5a2 2 0 1 0 0 4 2 2 0 1 0 0-4zM14.5 13a2 2 0 1 0 0 4 2 2 0 1 0 0-4z",
  key: "M7 8a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7zM9.5 9.5 16 3.5M13 6.5l2 2",
  folder: "M3 6V15.5h14V7H9.5L8 4.5H3z",
  file: "M5 3h6.5L15 6.5V17H5zM11.5 3v3.5H15",
  edit: "M4 16l.7-3.3L13 4.4l2.6 2.6-8.3 8.3z",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v5M11.5 9v5",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2l-.8.8M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2l.8-.8",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon says nothing by itself: what it stands for is written beside it, or in its button's label. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
