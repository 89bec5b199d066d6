import { Debounce } from '../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import { Watchdog } from '../base/watchdog.ts';
import type { Exposure } from '../domain/exposure.ts';
import type { Root } from '../domain/roots.ts';
import type { Tool } from './connection.ts';
import type { ConnectionState, Link } from './link.ts';
import { MissedPaths } from './sandbox/missedPaths.ts';
import type { SandboxFacts } from './stdio/serverProcess.ts';

/** Tools that come one by one cost one look at the list. */
const toolBurst = { quiet: 200, longest: 1000 };
/** Time limit for a server to ask for its roots after its start, in milliseconds. */
const longestSilence = 3000;

/** A record of the process of one server: its roots, tools and requests. The next process begins it anew. */
export class ProcessRecord implements IDisposable {
  /** Paths that its sandbox keeps from it. A guess. */
  readonly missed: MissedPaths;
  private readonly onDidChange: () => void;
  private readonly store = new DisposableStore();
  private readonly firstRequest = this.store.add(new Watchdog(longestSilence));
  private readonly newTools = this.store.add(new Debounce(() => this.forgetTools(), toolBurst));
  private configured: readonly Root[] = [];
  private exposure: Exposure | undefined;
  private requests = 0;
  private neglects = false;
  private knownTools: readonly Tool[] | undefined;
  /** Counts changes of the tools, to tell an answer that is out of date. */
  private toolsAge = 0;

  constructor(onDidChange: () => void) {
    this.onDidChange = onDidChange;
    this.missed = new MissedPaths(onDidChange);
    this.firstRequest.onDidChange(onDidChange);
  }

  /** The last occasion on which it was told of its roots; `undefined` when there was none yet. */
  get lastExposure(): Exposure | undefined {
    return this.exposure;
  }

  get exposureCount(): number {
    return this.requests;
  }

  /** The roots it knows of: those of its start it keeps, whatever it is told later. */
  get knownRoots(): readonly Root[] {
    const known = [...this.configured, ...(this.exposure?.roots ?? [])];
    return [...new Map(known.map(root => [root.uri, root])).values()];
  }

  /** Whether it was told that its roots changed, had asked before, and has not asked again. */
  get isNeglecting(): boolean {
    return this.neglects;
  }

  /** Whether it had the time to ask for its roots since its start, and did not. */
  get isSilent(): boolean {
    return this.firstRequest.isLate;
  }

  /** Its tools; `undefined`: it was not asked since they last changed. */
  get tools(): readonly Tool[] | undefined {
    return this.knownTools;
  }

  /** There is a new process, of which nothing is known. */
  begin(): void {
    this.configured = [];
    this.exposure = undefined;
    this.requests = 0;
    this.neglects = false;
    this.knownTools = undefined;
    this.toolsAge += 1;
  }

  /** Records the events of a link. */
  follow(link: Link): void {
    link.onDidChangeState(state => this.noteState(state));
    link.onDidBegin(session => {
      session.onDidChangeList?.(what => what === 'tools' && this.newTools.request());
      session.onDidNeglect(neglects => this.noteNeglect(neglects));
      this.missed.follow(session);
    });
  }

  /**
   * It is started now.
   *
   * @param roots those that it is given with its start.
   * @param facts what its sandbox shows it; `undefined`: it has none.
   */
  noteStart(roots: readonly Root[], facts: SandboxFacts | undefined): void {
    this.configured = roots;
    this.missed.begin(facts);
  }

  noteExposure(exposure: Exposure): void {
    if (exposure.at >= (this.exposure?.at ?? 0)) {
      this.exposure = exposure;
    }
    if (exposure.trigger.kind !== 'launch') {
      this.requests += exposure.count;
      this.firstRequest.settle();
    }
    this.onDidChange();
  }

  /** Keeps the tools that are answered, unless they have changed by then. */
  async keepTools(answer: Promise<readonly Tool[]>): Promise<readonly Tool[]> {
    const { toolsAge } = this;
    const tools = await answer;
    if (toolsAge === this.toolsAge) {
      this.knownTools = tools;
    } else {
      this.onDidChange();
    }
    return tools;
  }

  dispose(): void {
    this.store.dispose();
  }

  private noteState({ kind }: ConnectionState): void {
    if (kind === 'running' && this.requests === 0) {
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
    this.knownTools = undefined;
    this.toolsAge += 1;
    this.onDidChange();
  }
}
