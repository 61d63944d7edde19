// The typed text of a search is read as words, each of which stands somewhere in what is found. Pure.

/** Says of a text whether it holds every word that was typed, in whatever case; of every text where none was. */
export function wordsFinder(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const folded = text.toLowerCase();
    return words.every((word) => folded.includes(word));
  };
}
