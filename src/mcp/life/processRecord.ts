import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Watchdog } from '../../base/watchdog.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { keptMethods } from '../../domain/gate/handshakeAndLists.ts';
import type { Root } from '../../domain/roots.ts';
import type { ServerWords } from '../link/clientRequests.ts';
import type { Tool } from '../link/connection.ts';
import type { ConnectionState, Link } from '../link/link.ts';
import type { SandboxFacts } from '../process/stdio/serverProcess.ts';
import type { Traffic } from '../process/wire.ts';
import { MissedPaths } from '../sandbox/missedPaths.ts';

/** Times to wait for further changes of the tools, in milliseconds, so that the list is read once. */
const toolBurst = { quiet: 200, longest: 1000 };
/** Time limit for a server to ask for its roots after its start, in milliseconds. */
const longestSilence = 3000;

/** A record of one server's process: its roots, tools and requests. A new process empties the record. */
export class ProcessRecord implements IDisposable {
  /** The paths that the server seems to miss, because its sandbox does not show them. */
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
  /** Counts changes of the tools, to recognize an answer that is out of date. */
  private toolsAge = 0;
  private words: readonly ServerWords[] = [];

  constructor(onDidChange: () => void) {
    this.onDidChange = onDidChange;
    this.missed = new MissedPaths(onDidChange);
    this.firstRequest.onDidChange(onDidChange);
  }

  /** The last time that roots were shared with the server; `undefined` before the first. */
  get lastExposure(): Exposure | undefined {
    return this.exposure;
  }

  get exposureCount(): number {
    return this.requests;
  }

  /** The roots that the server knows: those of its last exposure, and those of its start. */
  get knownRoots(): readonly Root[] {
    const known = [...this.configured, ...(this.exposure?.roots ?? [])];
    return [...new Map(known.map(root => [root.uri, root])).values()];
  }

  /** Whether the server asked for roots, then got a notice of a change, and has not asked again. */
  get isNeglecting(): boolean {
    return this.neglects;
  }

  /** Whether the server had time to ask for its roots since its start, and did not. */
  get isSilent(): boolean {
    return this.firstRequest.isLate;
  }

  /** The server's tools. `undefined`: nobody has read the list since the tools last changed. */
  get tools(): readonly Tool[] | undefined {
    return this.knownTools;
  }

  /** Forgets everything, for a new process. */
  begin(): void {
    this.configured = [];
    this.exposure = undefined;
    this.requests = 0;
    this.neglects = false;
    this.knownTools = undefined;
    this.toolsAge += 1;
    this.words = [];
  }

  /** Returns the latest results of the handshake and of each list, each result only once. */
  takeWords(): readonly ServerWords[] {
    const { words } = this;
    this.words = [];
    return words;
  }

  /** Records the events of a link. */
  follow(link: Link): void {
    link.onDidChangeState(state => this.noteState(state));
    link.onDidBegin(session => {
      session.onDidChangeList?.(what => what === 'tools' && this.newTools.request());
      session.onDidNeglect(neglects => this.noteNeglect(neglects));
      this.missed.follow(session);
      // A link with a client name is a relay. The relay itself reports the results that its client reads.
      if (link.clientName === undefined) {
        session.onDidPass(passed => 'request' in passed && this.noteWords(passed));
      }
    });
  }

  /**
   * Notes the start of the process.
   *
   * @param roots the roots that are part of the start.
   * @param facts what the process sees in its sandbox. `undefined`: the process has no sandbox.
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

  /** Keeps the tools once they are read, unless they have changed meanwhile. Returns them. */
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

  private noteWords({ request, message }: Exclude<Traffic, { readonly kind: 'rubbish' }>): void {
    const { method, params = {} } = request ?? { method: '' };
    // Skips questions: no server may answer a handshake or a list with them.
    if (
      keptMethods.has(method) &&
      'result' in message &&
      message.result['resultType'] !== 'input_required'
    ) {
      // The first page replaces all pages of the earlier list.
      const isOther = (one: ServerWords) => one.method !== method || params['cursor'] !== undefined;
      this.words = [...this.words.filter(isOther), { method, params, result: message.result }];
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
