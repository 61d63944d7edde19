// UUIDs. New ones are version 7: they sort by time of creation, which is how lists page.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

let lastMs = 0;
let sequence = 0;

/**
 * A version 7 UUID (RFC 9562 §5.7 and §6.2, method 1): 48 bits of Unix milliseconds, 12 that count up within one of
 * them, then what the runtime's own random UUID ends with. Ids made one after the other by an isolate sort in that
 * order.
 */
export function newId(now: Date = new Date()): string {
  const ms = now.getTime();
  sequence = ms === lastMs ? (sequence + 1) & 0xfff : 0;
  lastMs = ms;
  const time = ms.toString(16).padStart(12, "0");
  const count = sequence.toString(16).padStart(3, "0");
  // Joined, so that it is a text of one piece: for one of several, JSON.stringify leaves its fast path.
  return [time.slice(0, 8), time.slice(8), `7${count}`, crypto.randomUUID().slice(19)].join("-");
}

/** What all ids of {@link newId} at this instant or later compare as greater than, and none before it. */
export function idsFrom(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
