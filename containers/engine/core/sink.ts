// A statement's result goes to a sink: the HTTP answer, or a file, as its producers see it.

/**
 * Takes the bytes of a result in order. The first write says that content is about to start: a Failure thrown before
 * it becomes a status of its own. A promise asks the producer to wait until it settles (backpressure); it rejects when
 * the caller is gone. Until then the written bytes are the sink's, and afterwards their memory may be used again; a
 * sink that answers no promise has done with them. The statement's runner ends the sink, not the producer.
 */
export type ByteSink = {
  write(bytes: Uint8Array): void | Promise<void>;
  /** The written bytes are still held back: a failure is not written among them, but rejects, whenever it comes. */
  readonly isHeld?: boolean;
};

/** The sink as the statement's runner sees it. */
export type AnswerSink = ByteSink & {
  /** Whether the status is out: a failure can no longer have one of its own. */
  readonly started: boolean;
  /** Writes the last bytes. They have left once `ended` settles. */
  end(bytes?: Uint8Array): void;
  /** Breaks the answer off, so that a cut can't pass for an end. */
  break(): void;
  /** Settles when the last byte was handed on or nobody takes it any more; an abort hurries it. */
  ended(signal: AbortSignal): Promise<void>;
};
