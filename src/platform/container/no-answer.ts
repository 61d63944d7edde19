// A program that gives no answer is told by its object, or by the words of the runtime, which has no codes for it.

/** The program stands still. */
export class Hung extends Error {
  constructor(looks: number) {
    super(`The program did not answer for its state ${looks} times.`);
  }
}

const says = (error: unknown, words: string) => error instanceof Error && error.message.toLowerCase().includes(words);

/** Whether no program took the request. */
export const isNotListening = (error: unknown): boolean => says(error, "the container is not listening");

/** Whether there is no room for one more program. */
export const isFull = (error: unknown): boolean =>
  says(error, "no container instance") || says(error, "too many containers") || says(error, "max_instances");
