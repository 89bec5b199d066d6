import type { Logger } from '../../src/base/logger.ts';

/** Writes nothing down. A test that looks at what is written puts its own level in. */
export const noLogger: Logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
