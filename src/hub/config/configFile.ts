import { unwatchFile, watchFile } from 'node:fs';
import { basename } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubConfig } from '../../domain/hubConfig/hubConfig.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, inEnglish, type Sentence } from '../../domain/sentence.ts';
import { readPlainFile } from '../../mcp/process/plainFile.ts';
import { type ParsedConfig, parseConfig } from './parseConfig.ts';

type ReadConfig = Extract<ParsedConfig, { readonly ok: true }>;

/** Milliseconds between two checks of the file. A change is read when no other follows for as long. */
const pace = 500;

/**
 * The configuration of a hub. It changes with its file, even if the file is replaced, removed or
 * restored. If the file is broken or gone, the servers stay as they were, and `problems` says so.
 *
 * From the text to the servers, the next files are `config/parseConfig` and `hubConfig/hubConfig`.
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
   * @throws {HumanError} when the file cannot be used.
   */
  static async open(path: string, userHome: string, interval = pace): Promise<ConfigFile> {
    // Links on the path are fine, because whoever starts the hub names the file.
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
    // A file that still changes may be incomplete.
    const times = { quiet: interval, longest: Number.POSITIVE_INFINITY };
    this.readSoon = new Debounce(() => void this.read(), times);
    // Polls the file, because polling also works for files on a network.
    watchFile(path, { interval, persistent: false }, this.noteChange);
    // The file may have changed before the watch began.
    this.readSoon.request();
  }

  get name(): string {
    return basename(this.path);
  }

  /** The servers of the file. The object is the same until the meaning of the file changes. */
  get current(): HubConfig {
    return this.said.config;
  }

  /** The problems, as finished sentences in the order of the file. Each begins with its place. */
  get problems(): readonly string[] {
    return this.said.problems;
  }

  /** The servers of the file that can't be used, because they have a mistake. */
  get leftOut(): readonly string[] {
    return [...this.said.leftOut.keys()];
  }

  get switchedOff(): readonly string[] {
    return this.said.switchedOff;
  }

  /**
   * Why a server of the file does not run, in finished sentences: the server's first mistake, or
   * that it is switched off. `undefined`: the server runs, or the file does not name it.
   */
  whyLeftOut(server: string): string | undefined {
    const { leftOut, switchedOff } = this.said;
    const off = `The key "disabled" or "enabled" in ${printable(this.name)} switches the server off.`;
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
      return; // A later read has the newer state, however long this read took.
    }
    const { said, userHome, name: file } = this;
    const next: ParsedConfig =
      text === undefined
        ? { ok: false, problem: `${printable(file)}:1:1: ${unreadable('The file', problem)}` }
        : parseConfig(text, { file, userHome });
    const problems = next.ok ? next.problems : [`${next.problem} The hub keeps its old servers.`];
    this.said = next.ok && next.said !== said.said ? next : { ...said, problems };
    if (this.current !== said.config || problems.join('\n') !== said.problems.join('\n')) {
      this.didChange.fire();
    }
  }
}

/** Says why the file can't be used, in sentences. The first sentence begins with `name`. */
function unreadable(name: string, problem: Sentence | undefined): string {
  return problem ? `${name} cannot be used. ${inEnglish(problem)}` : `${name} does not exist.`;
}

const example =
  'Create the file, for example with: { "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] } } }';

/** Says that the hub has no such server, and which servers it has, in finished sentences. */
export function unknownServer(
  name: string,
  there: Iterable<string>,
  config: Pick<ConfigFile, 'whyLeftOut'>,
): string {
  const shown = `"${printable(name.slice(0, 100))}"`;
  const problem = config.whyLeftOut(name);
  const what =
    problem === undefined
      ? `The server ${shown} does not exist.`
      : `The server ${shown} does not run. ${problem}`;
  return `${what} Servers of this hub: ${[...there].map(printable).join(', ') || 'none'}.`;
}
