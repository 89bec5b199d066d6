import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { LateWatch } from '../../base/lateWatch.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { ServerFaults } from '../../domain/servers/serverFaults.ts';
import type { ConnectionState, ServerConnection, Tool } from '../../mcp/connection.ts';
import { FaultCounter } from './faultCounter.ts';
import { ToldRoots } from './toldRoots.ts';
import { ToolList } from './toolList.ts';

/** Tools that come one by one cost one look at the list. */
const toolBurst = { quiet: 200, longest: 1000 };
/** How long a server that asks by itself takes at most to do so at its start, in milliseconds. */
const longestSilence = 3000;

/** What the process of one server was told, offers and does. With the next process it begins anew. */
export class ProcessRecord implements IDisposable {
  private readonly onDidChange: () => void;
  private readonly store = new DisposableStore();
  private readonly toolList = new ToolList();
  private readonly counter: FaultCounter;
  private readonly firstRequest = this.store.add(new LateWatch(longestSilence));
  private readonly newTools = this.store.add(new Debounce(() => this.forgetTools(), toolBurst));
  private toldRoots = new ToldRoots();
  private neglects = false;

  constructor(onDidChange: () => void) {
    this.onDidChange = onDidChange;
    this.counter = this.store.add(new FaultCounter(onDidChange));
    this.firstRequest.onDidChange(onDidChange);
  }

  get told(): ToldRoots {
    return this.toldRoots;
  }

  /** Whether it was told that its roots changed, had asked before, and has not asked again. */
  get isNeglecting(): boolean {
    return this.neglects;
  }

  /** Whether it could have asked for its roots since its start, had time enough, and did not. */
  get isSilent(): boolean {
    return this.firstRequest.isLate;
  }

  get faults(): ServerFaults {
    return this.counter.faults;
  }

  /** What it offered when it was last asked; `undefined` when it was not since it has these tools. */
  get tools(): readonly Tool[] | undefined {
    return this.toolList.tools;
  }

  /** There is a new process, of which nothing is known. */
  begin(): void {
    this.toldRoots = new ToldRoots();
    this.neglects = false;
    this.counter.begin();
    this.toolList.forget();
  }

  /** Takes down what comes over a connection until the answer is disposed. */
  follow(connection: ServerConnection): IDisposable {
    const store = new DisposableStore();
    store.add(connection.onDidChangeState(state => this.noteState(state)));
    store.add(connection.onDidChangeTools(() => this.newTools.request()));
    store.add(connection.onDidNeglect(neglects => this.noteNeglect(neglects)));
    store.add(this.counter.follow(connection));
    return store;
  }

  noteExposure(exposure: Exposure): void {
    this.told.note(exposure);
    if (this.told.count > 0) {
      this.firstRequest.settle();
    }
    this.onDidChange();
  }

  /** Notes a call until it settles, and settles as it does. */
  during<T>(tool: string, answer: Promise<T>): Promise<T> {
    return this.counter.during(tool, answer);
  }

  /** Keeps what is answered, unless its tools have changed by then. */
  async keepTools(answer: Promise<readonly Tool[]>): Promise<readonly Tool[]> {
    const tools = await this.toolList.keep(answer);
    if (!this.tools) {
      this.onDidChange();
    }
    return tools;
  }

  dispose(): void {
    this.store.dispose();
  }

  private noteState({ kind }: ConnectionState): void {
    if (kind === 'running' && this.told.count === 0) {
      this.firstRequest.expect();
    } else {
      this.firstRequest.settle();
    }
  }

  private noteNeglect(neglects: boolean): void {
    this.neglects = neglects;
    this.onDidChange();
  }

  private forgetTools(): void {
    this.toolList.forget();
    this.onDidChange();
  }
}
