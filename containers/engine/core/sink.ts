// Where a statement's result goes: the HTTP answer as its producers see it.

/**
 * Takes the bytes of a result in order. The first write says that content is about to start: a Failure thrown before
 * it becomes a status of its own. A promise asks the producer to wait until it settles (backpressure); it rejects when
 * the caller is gone. Written bytes belong to the sink. The statement's runner ends the sink, not the producer.
 */
export type ByteSink = { write(bytes: Uint8Array): void | Promise<void> };
