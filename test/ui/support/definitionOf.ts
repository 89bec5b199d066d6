import { join } from 'node:path';
import type { RecordingServer } from '../../support/recordingServer.ts';

const compiled = join(import.meta.dirname, '..', '..', 'support', 'compiled.mjs');

/** A server of the tests as the settings define it. */
export function definitionOf({ start: { command, args } }: RecordingServer) {
  return { command, args: [compiled, ...args] };
}
