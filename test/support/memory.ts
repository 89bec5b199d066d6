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
