import {
  type Reach,
  type RootsFindings,
  type ToolFindings,
  widestReach,
} from '../../domain/rootsCheck/rootsFindings.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import { namingProbes, type Probe, readingProbes } from './probes.ts';
import type { ThrowAwayFolder, ThrowAwayFolders } from './throwAwayFolders.ts';
import type { CheckTimes, WatchedServer } from './watchedServer.ts';

/** A running server that was told of the first folder, and the means to watch it. */
export interface Observation {
  readonly server: WatchedServer;
  readonly folders: ThrowAwayFolders;
  readonly times: CheckTimes;
  /** Whether the server is told of changes, and asks outside of calls. */
  readonly isLegacy: boolean;
  /** Whether it sees, of all these folders, the first and the second alone. */
  readonly isSandboxed: boolean;
  /** Takes each finding at once, so that it is not lost when the server ends early. */
  readonly found: (findings: Partial<RootsFindings>) => void;
  readonly step: (step: Sentence) => void;
}

/** A probe that can tell folders apart, and its findings. */
interface Watched {
  readonly kind: 'reading' | 'naming';
  readonly probe: Probe;
  readonly findings: ToolFindings;
}

/**
 * Watches what a server does with its roots: at its start, after a change, and when it has none
 * left.
 */
export async function observe(observation: Observation): Promise<void> {
  const watched = await observeStart(observation);
  const change = await observeChange(observation, watched);
  await observeEmptyList(observation, change);
}

async function observeStart(observation: Observation): Promise<readonly Watched[]> {
  const { server, folders, times, isLegacy, isSandboxed, step } = observation;
  step(sentence('Waiting for it to ask for its folders'));
  if (isLegacy) {
    await server.asksBeyond(0, times.ask);
  }
  step(sentence('Looking for a tool that reads'));
  const tools = await server.listTools();
  const probes = {
    reading: readingProbes(tools, server.call),
    naming: namingProbes(tools, server.call),
  };
  // In a sandbox the system refuses the other one, whatever the server does.
  const unnamed = isSandboxed ? folders.second : folders.outside;
  const watched: Watched[] = [];
  for (const kind of ['reading', 'naming'] as const) {
    const probe = await server.firstServing(probes[kind], folders.first);
    if (probe) {
      const outside = await server.settledReach(probe, unnamed, 'refused');
      const later = { added: 'untold', withdrawn: 'untold', emptied: 'untold' } as const;
      watched.push({ kind, probe, findings: { tool: probe.tool, outside, ...later } });
    }
  }
  const [reading] = watched.filter(({ kind }) => kind === 'reading');
  if (isSandboxed && reading) {
    const beyond = await server.settledReach(reading.probe, folders.outside, 'refused');
    observation.found({ sandbox: { beyond, missed: [] } });
  }
  return report(observation, watched);
}

interface Change {
  readonly watched: readonly Watched[];
  readonly asksAgain: boolean | undefined;
}

async function observeChange(
  observation: Observation,
  watched: readonly Watched[],
): Promise<Change> {
  const { server, folders, step } = observation;
  step(sentence('Telling it of another folder instead'));
  const asked = server.timesAsked;
  await change(observation, folders.second);
  const after: Watched[] = [];
  for (const { findings, ...one } of watched) {
    const added = await server.settledReach(one.probe, folders.second, 'served');
    const withdrawn = await server.settledReach(one.probe, folders.first, 'refused');
    after.push({ ...one, findings: { ...findings, added, withdrawn } });
  }
  const asksAgain = hasAsked(observation, watched, asked);
  observation.found({ asksAgain });
  return { watched: report(observation, after), asksAgain };
}

async function observeEmptyList(
  observation: Observation,
  { watched, asksAgain }: Change,
): Promise<void> {
  const { server, folders, found, step } = observation;
  step(sentence('Telling it of no folder'));
  const asked = server.timesAsked;
  await change(observation);
  const after: Watched[] = [];
  for (const { findings, ...one } of watched) {
    const reaches: Reach[] = [];
    for (const folder of servedBefore(findings, folders)) {
      reaches.push(await server.settledReach(one.probe, folder, 'refused'));
    }
    after.push({ ...one, findings: { ...findings, emptied: widestReach(reaches) } });
  }
  found({ asksAgain: asksAgain && hasAsked(observation, watched, asked) });
  report(observation, after);
}

/** Tells the server of these folders, and waits for it to ask as far as it may. */
async function change(
  { server, times, isLegacy }: Observation,
  ...folders: readonly ThrowAwayFolder[]
): Promise<void> {
  const asked = server.timesAsked;
  server.tell(...folders);
  if (isLegacy) {
    await server.asksBeyond(asked, times.askAgain);
  }
}

/** A modern server has an occasion to ask only when it is called. */
function hasAsked(
  { server, isLegacy }: Observation,
  watched: readonly Watched[],
  before: number,
): boolean | undefined {
  return isLegacy || watched.length > 0 ? server.timesAsked > before : undefined;
}

function servedBefore(
  { added, withdrawn }: ToolFindings,
  { first, second }: ThrowAwayFolders,
): ThrowAwayFolder[] {
  return [...(added === 'served' ? [second] : []), ...(withdrawn === 'served' ? [first] : [])];
}

function report({ found }: Observation, watched: readonly Watched[]): readonly Watched[] {
  found(Object.fromEntries(watched.map(({ kind, findings }) => [kind, findings])));
  return watched;
}
