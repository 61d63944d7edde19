// A grid that shows a part of all that there is says so. Pure.

export const cutNote = (what: string, shown: number, all: number): string[] =>
  shown < all
    ? [`It is cut: the first ${shown.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} ${what}.`]
    : [];
