// The flaws of a semantic query are collected, all of them at once, in Cube's words.

import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { DateFlaw } from "./dates/date-flaw.ts";

/** From the query's root to a value in it. */
export type Path = readonly (string | number)[];

export class QueryFlaws {
  readonly #flaws: Flaw[] = [];
  readonly #suggest: (name: string) => string;

  /** `suggest`: a sentence with a space before it that names what a text may mean, or nothing. */
  constructor(suggest: (name: string) => string = () => "") {
    this.#suggest = suggest;
  }

  /** Answers undefined, for readers that have no value then. */
  add(path: Path, message: string): undefined {
    if (this.#flaws.length < REQUEST_LIMITS.flawsReportedMax) this.#flaws.push({ pointer: pointerOf(path), message });
    return undefined;
  }

  /** What is not of a query's form: `words` go on after the value's name. */
  addForm(path: Path, words: string): undefined {
    return this.add(path, `Invalid query format: "${nameOf(path)}" ${words}`);
  }

  /** A text that does not have the form of a member's name. */
  addName(path: Path, name: string, words: string): undefined {
    const meant = this.#suggest(name);
    return this.addForm(path, meant === "" ? words : `${words}.${meant}`);
  }

  /** Dates that are read, or a flaw where they say nothing. */
  readDates<Dates>(path: Path, reading: () => Dates): Dates | undefined {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof DateFlaw)) throw error;
      return this.add(path, error.message);
    }
  }

  /** The first flaw is the answer's message, as Cube tells one at a time. */
  throwIfAny(): void {
    const [first] = this.#flaws;
    if (first) throw new Problem("validation_failed", first.message, this.#flaws);
  }
}

const SHOWN_MAX = 200;

/** `filters[0].member`; the query itself is `value`. */
const nameOf = (path: Path): string =>
  path.length === 0
    ? "value"
    : path
        .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${step}`))
        .join("")
        .slice(0, SHOWN_MAX);

const pointerOf = (path: Path): string =>
  ["cube_query", ...path].map((step) => pointerStep(String(step).slice(0, SHOWN_MAX))).join("");
