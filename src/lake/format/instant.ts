// Instants as DuckLake writes them: `2026-01-15 12:30:00.123+00`.

export const formatInstant = (ms: number): string => new Date(ms).toISOString().replace("T", " ").replace("Z", "+00");

export const parseInstant = (text: string): number => Date.parse(text.replace(" ", "T").replace("+00", "Z"));
