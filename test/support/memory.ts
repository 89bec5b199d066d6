/** The editor's state. */
export class Memory {
  private readonly values = new Map<string, unknown>();

  get(key: string): undefined {
    return this.values.get(key) as undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}
