/**
 * How long a test waits for what has to come before it fails, in milliseconds. It is long, because
 * a busy machine is no fault; what takes too long for people is for the benchmarks to say.
 */
export const patience = 120_000;
