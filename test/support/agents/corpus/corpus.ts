// Reads the corpora of paraphrases and mistakes.

/** A question in somebody's words, and the names of what answers it: one of them is to be found. */
export type Paraphrase = { question: string; answers: string[] };

/** A call of a tool with a mistake in it; `holds` are the texts by which its answer repairs it. */
export type Mistake = { mistake: string; tool: string; input: Record<string, unknown>; holds: string[] };

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

export const readParaphrases = (text: string): Paraphrase[] =>
  linesOf(text).map((line) => {
    const [question = "", answers = ""] = line.split(" | ");
    return { question, answers: answers.split(", ") };
  });

/** `ids`: what stands for `$MODEL` and `$LAKE`. */
export const readMistakes = (text: string, ids: Record<string, string>): Mistake[] =>
  linesOf(text).map((line) => JSON.parse(line.replaceAll(/\$([A-Z]+)/g, (_, name: string) => ids[name]!)) as Mistake);
