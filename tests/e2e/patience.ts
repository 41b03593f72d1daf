/** Milliseconds that what must come may take on a busy machine: for whatever a page waits for, and for `expect.poll`. */
export const PATIENCE = 90_000;
