import type { AnswerSet, Entry } from '../../src/domain/consent/answerSet.ts';
import { ServerRecords } from '../../src/extension/records/serverRecords.ts';

/** The editor's state. */
export class Memory {
  private static count = 0;
  /** The name of the workspace that owns the state. */
  readonly id: string;
  private readonly values: Map<string, unknown>;

  constructor(stored: Readonly<Record<string, unknown>> = {}, id = `workspace ${++Memory.count}`) {
    this.id = id;
    this.values = new Map(Object.entries(stored));
  }

  get(key: string): undefined {
    return this.values.get(key) as undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}

/** A state with answers; each is on a workspace by its `where`, or on a machine. */
export function answered(...entries: readonly object[]): Memory {
  const counted = entries.map(one => ({ version: 1, under: 0, ...one }));
  return new Memory({ answers: { revocations: {}, entries: counted } });
}

/** The answers in a state that are in force, as far as it is known from them. */
export function answersIn(memory: Memory): readonly Entry[] {
  const { entries = [] }: Partial<AnswerSet> = memory.get('answers') ?? {};
  return entries.filter(({ isGone }) => !isGone);
}

/** The records of a window; other windows of the workspace or machine share its memories. */
export function recordsIn(
  workspace = new Memory(),
  global = new Memory(),
  error = (_problem: string | Error) => {},
  host = '',
  profiles = new Memory(),
): ServerRecords {
  const quiet = { trace() {}, debug() {}, info() {}, warn() {} };
  const state = { workspace, global, host, workspaceId: workspace.id, profiles };
  return new ServerRecords(state, { ...quiet, error });
}
