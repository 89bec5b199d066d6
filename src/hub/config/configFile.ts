import { unwatchFile, watchFile } from 'node:fs';
import { basename } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubConfig } from '../../domain/hubConfig/hubConfig.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, inEnglish, type Sentence } from '../../domain/sentence.ts';
import { readPlainFile } from '../../mcp/plainFile.ts';
import { type ParsedConfig, parseConfig } from './parseConfig.ts';

type ReadConfig = Extract<ParsedConfig, { readonly ok: true }>;

/** In milliseconds: how often the file is looked at, and how long it has to be quiet then. */
const pace = 500;

/**
 * The configuration of a hub, which follows its file, also when that is replaced, removed, or comes
 * back. When it is broken or gone, the servers stay as they were, and the problems say so.
 *
 * From the text to servers, the next files are `config/parseConfig` and `hubConfig/hubConfig`.
 */
export class ConfigFile implements IDisposable {
  private readonly path: string;
  private readonly userHome: string;
  private readonly readSoon: Debounce;
  private readonly noteChange = () => this.readSoon.request();
  private readonly didChange = new Emitter<void>();
  private reads = 0;
  private said: ReadConfig;

  /** Fires after each change of the servers or of the problems. */
  readonly onDidChange: Event<void> = this.didChange.event;

  /**
   * Reads the file, and watches it from then on. Mistakes in a server are among its problems.
   *
   * @throws {HumanError} when it cannot be used.
   */
  static async open(path: string, userHome: string, interval = pace): Promise<ConfigFile> {
    // Whoever starts the hub names the file, so that it may be behind any link.
    const { text, problem } = await readPlainFile(path, []);
    if (text === undefined) {
      const reason = unreadable(`The configuration ${printable(path)}`, problem);
      throw new HumanError('{0}', problem ? reason : `${reason} ${example}`);
    }
    const said = parseConfig(text, { file: basename(path), userHome });
    if (!said.ok) {
      throw new HumanError('{0}', said.problem);
    }
    return new ConfigFile(path, userHome, said, interval);
  }

  private constructor(path: string, userHome: string, said: ReadConfig, interval: number) {
    this.path = path;
    this.userHome = userHome;
    this.said = said;
    // Before it is quiet it may be half written.
    const times = { quiet: interval, longest: Number.POSITIVE_INFINITY };
    this.readSoon = new Debounce(() => void this.read(), times);
    // By polling, which works for files on a network, too.
    watchFile(path, { interval, persistent: false }, this.noteChange);
    // It may have changed before it was watched.
    this.readSoon.request();
  }

  get name(): string {
    return basename(this.path);
  }

  /** The same object until the file says something else. */
  get current(): HubConfig {
    return this.said.config;
  }

  /** Finished sentences, in the order of the file, that begin with their place in it. */
  get problems(): readonly string[] {
    return this.said.problems;
  }

  /** The servers in the file that can't be used, because they have a mistake. */
  get leftOut(): readonly string[] {
    return [...this.said.leftOut.keys()];
  }

  get switchedOff(): readonly string[] {
    return this.said.switchedOff;
  }

  /**
   * Why a server in the file is not run, in finished sentences: its first mistake, as among the
   * problems, or that it is switched off. `undefined`: it is run, or not in the file.
   */
  whyLeftOut(server: string): string | undefined {
    const { leftOut, switchedOff } = this.said;
    const off = `It is switched off in ${printable(this.name)} ("disabled" or "enabled").`;
    return leftOut.get(server) ?? (switchedOff.includes(server) ? off : undefined);
  }

  dispose(): void {
    unwatchFile(this.path, this.noteChange);
    this.readSoon.dispose();
    this.didChange.dispose();
  }

  private async read(): Promise<void> {
    this.reads += 1;
    const turn = this.reads;
    const { text, problem } = await readPlainFile(this.path, []);
    if (turn !== this.reads) {
      return; // A later one knows better, however long this one took.
    }
    const { said, userHome, name: file } = this;
    const next: ParsedConfig =
      text === undefined
        ? { ok: false, problem: `${printable(file)}:1:1: ${unreadable('The file', problem)}` }
        : parseConfig(text, { file, userHome });
    const problems = next.ok ? next.problems : [`${next.problem} The servers stay as they were.`];
    this.said = next.ok && next.said !== said.said ? next : { ...said, problems };
    if (this.current !== said.config || problems.join('\n') !== said.problems.join('\n')) {
      this.didChange.fire();
    }
  }
}

/** What is wrong with the file, in sentences of which the first begins with its name. */
function unreadable(name: string, problem: Sentence | undefined): string {
  return problem ? `${name} cannot be used. ${inEnglish(problem)}` : `${name} is not there.`;
}

const example =
  'Make it, for example: { "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] } } }';

/** Says that no server of this name can be called, and which can, in finished sentences. */
export function unknownServer(
  name: string,
  there: Iterable<string>,
  config: Pick<ConfigFile, 'whyLeftOut'>,
): string {
  const shown = `"${printable(name.slice(0, 100))}"`;
  const problem = config.whyLeftOut(name);
  const what =
    problem === undefined ? `There is no server ${shown}.` : `${shown} is left out: ${problem}`;
  return `${what} There are: ${[...there].map(printable).join(', ') || 'none'}.`;
}
