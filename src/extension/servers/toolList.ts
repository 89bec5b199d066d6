import type { Tool } from '../../mcp/connection.ts';

/** What a server said last of its tools. */
export class ToolList {
  private known: readonly Tool[] | undefined;
  private age = 0;

  /** `undefined` when it was not asked since they changed. */
  get tools(): readonly Tool[] | undefined {
    return this.known;
  }

  /** From now on the server may have others. */
  forget(): void {
    this.known = undefined;
    this.age += 1;
  }

  /** Keeps what is answered, unless it is out of date by then. */
  async keep(answer: Promise<readonly Tool[]>): Promise<readonly Tool[]> {
    const { age } = this;
    const tools = await answer;
    if (age === this.age) {
      this.known = tools;
    }
    return tools;
  }
}
