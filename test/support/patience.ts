/**
 * The milliseconds that a test waits for an event before it fails. They are many, because a busy
 * machine is not a fault; benchmarks measure speed.
 */
export const patience = 120_000;
