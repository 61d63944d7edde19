// Values and names that hidden data is marked with, so that any of them in an answer is a leak.

/** Hidden texts hold the first; hidden numbers have the second in their digits. */
export const HIDDEN_TEXT = "CANARYVALUE";
export const HIDDEN_NUMBER = 771_234;
/** Names of what is hidden begin so. */
export const HIDDEN_NAME = "canary_";

const MARKS = [HIDDEN_TEXT, String(HIDDEN_NUMBER), HIDDEN_NAME];
const CANARIES = new RegExp(`${HIDDEN_TEXT}|${HIDDEN_NUMBER}|${HIDDEN_NAME}\\w*`, "gi");

/** A text in Base64, wherever in a longer one it stands: the characters that do not depend on what is beside it. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from("x".repeat(shift) + text).toString("base64");
    return whole.replace(/=+$/, "").slice(shift === 0 ? 0 : shift + 1, -1);
  });
}

/** How a mark could be written by those who would get it past a search. */
const FORMS: readonly string[] = MARKS.flatMap((mark) =>
  [mark, mark.toLowerCase()].flatMap((text) => {
    const hex = Buffer.from(text).toString("hex");
    return [[...text].reverse().join(""), hex, hex.replaceAll(/../g, "\\x$&"), ...base64Of(text)];
  }),
);

/**
 * The canaries in an answer that its statement does not hold itself. `answer`: status, headers and body, an error's
 * text, lines of a log.
 */
export const leaksIn = (answer: string, statement: string): string[] => {
  const [own, said] = [statement.toLowerCase(), answer.toLowerCase()];
  const plain = [...said.matchAll(CANARIES)].map(([canary]) => canary);
  const written = FORMS.map((form) => form.toLowerCase()).filter((form) => said.includes(form));
  return [...plain, ...written].filter((each) => !own.includes(each));
};
