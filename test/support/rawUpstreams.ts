import type { TestContext } from 'node:test';
import { patience } from './patience.ts';
import { type RecordingServer, rawServer } from './recordingServer.ts';
import { hubServer, launchOf, type RecordedUpstreams, recordedUpstreams } from './upstreams.ts';

/** A hub with one legacy server, `raw`, which tells of its roots when it is called. */
export function withRaw(t: TestContext): RecordedUpstreams & { readonly server: RecordingServer } {
  // Before the hub, which ends the processes before it is looked whether they are gone.
  const server = rawServer(t);
  return { ...recordedUpstreams(t, [hubServer('raw', launchOf(server))]), server };
}

/** The names of the roots that a server has answered with. */
export async function namesTold(asked: Promise<string>): Promise<string[]> {
  const roots: readonly { readonly name: string }[] = JSON.parse(await asked);
  return roots.map(({ name }) => name);
}

/** A signal for what has to come, however slow the machine is. */
export function patient(): AbortSignal {
  return AbortSignal.timeout(patience);
}
