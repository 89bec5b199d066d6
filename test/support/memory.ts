import { ServerRecords } from '../../src/extension/servers/serverRecords.ts';

/** The editor's state. */
export class Memory {
  private readonly values: Map<string, unknown>;

  constructor(stored: Readonly<Record<string, unknown>> = {}) {
    this.values = new Map(Object.entries(stored));
  }

  get(key: string): undefined {
    return this.values.get(key) as undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}

/** The records of a window; another one of the same workspace, or machine, has the same memories. */
export function recordsIn(
  workspace = new Memory(),
  global = new Memory(),
  error = (_problem: string | Error) => {},
  host = '',
): ServerRecords {
  const quiet = { trace() {}, debug() {}, info() {}, warn() {} };
  return new ServerRecords({ workspace, global, host }, { ...quiet, error });
}
