// Values and names that hidden data is marked with, so that any of them in an answer is a leak.

/** Hidden texts hold the first; hidden numbers have the second in their digits. */
export const HIDDEN_TEXT = "CANARYVALUE";
export const HIDDEN_NUMBER = 771_234;
/** Names of what is hidden begin so. */
export const HIDDEN_NAME = "canary_";

const CANARIES = new RegExp(`${HIDDEN_TEXT}|${HIDDEN_NUMBER}|${HIDDEN_NAME}\\w*`, "gi");

/** The canaries in an answer that its statement does not hold itself. */
export const leaksIn = (answer: string, statement: string): string[] => {
  const own = statement.toLowerCase();
  return [...answer.toLowerCase().matchAll(CANARIES)].map(([canary]) => canary).filter((each) => !own.includes(each));
};
