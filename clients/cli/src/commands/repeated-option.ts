// An option that may be typed several times gathers its words.

export const collectWords = (word: string, words: string[]): string[] => [...words, word];
