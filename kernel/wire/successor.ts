// A container's program that is being stopped leaves requests to the program that is started next.

/**
 * An answer with this header comes from a program that is being stopped and has changed nothing for the request: its
 * successor may be asked the same.
 */
export const SUCCESSOR_HEADER = "x-fjord-ask-successor";
