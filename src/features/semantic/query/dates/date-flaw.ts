// A date that says nothing is thrown as a flaw, whose message is for whoever sent the date.

export class DateFlaw extends Error {}

const TEXT_SHOWN_MAX = 100;

const UNDERSTOOD =
  "Understood are dates as 2026-01-31 and 2026-01-31T10:00:00, today, yesterday, tomorrow, this month, last week, " +
  "last 7 days, next 2 years, 3 days ago, and from one of these to another.";

/** In Cube's words, with what is understood. */
export class UnreadableDate extends DateFlaw {
  constructor(text: string) {
    super(`Can't parse date: '${text.slice(0, TEXT_SHOWN_MAX)}'. ${UNDERSTOOD}`);
  }
}
