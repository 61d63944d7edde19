// What is thrown for a date that says nothing: its message is for whoever sent it.

export class DateFlaw extends Error {}

const TEXT_SHOWN_MAX = 100;

/** In Cube's words. */
export class UnreadableDate extends DateFlaw {
  constructor(text: string) {
    super(`Can't parse date: '${text.slice(0, TEXT_SHOWN_MAX)}'`);
  }
}
