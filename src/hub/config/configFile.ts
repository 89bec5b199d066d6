import { basename } from 'node:path';
import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubConfig } from '../../domain/hubConfig/hubConfig.ts';
import { printable } from '../../domain/printable.ts';
import { type ConfigText, ConfigWatch, type NoConfigText, readConfigText } from './configWatch.ts';
import { type ParsedConfig, parseConfig } from './parseConfig.ts';

/** What a configuration file is read and watched with. */
interface ConfigFileParts {
  readonly userHome: string;
  readonly after?: After;
  /** How often the file is looked at, in milliseconds. */
  readonly interval?: number;
}

/** The file, or the reason, as finished sentences, why it cannot be used. */
type OpenedConfigFile =
  | { readonly ok: true; readonly file: ConfigFile }
  | { readonly ok: false; readonly reason: string };

/** What a file said when it could be read last. */
type ReadConfig = Extract<ParsedConfig, { readonly ok: true }>;

const defaultInterval = 500;

/**
 * The configuration of a hub, which follows its file. When that is broken or gone, the servers stay
 * as they were, and the problems say so.
 */
export class ConfigFile implements IDisposable {
  private readonly name: string;
  private readonly userHome: string;
  private readonly watch: ConfigWatch;
  private readonly didChange = new Emitter<void>();
  private said: ReadConfig;
  private told: readonly string[];

  /** Fires after each change of the servers or of the problems. */
  readonly onDidChange: Event<void> = this.didChange.event;

  /** Reads the file, and watches it from then on. Mistakes in a server are among its problems. */
  static async open(path: string, parts: ConfigFileParts): Promise<OpenedConfigFile> {
    const known = await readConfigText(path);
    if (!known.ok) {
      return { ok: false, reason: unreadable(path, known) };
    }
    const said = parseConfig(known.text, { file: basename(path), userHome: parts.userHome });
    return said.ok
      ? { ok: true, file: new ConfigFile(path, { known, said }, parts) }
      : { ok: false, reason: said.problem };
  }

  private constructor(
    path: string,
    { known, said }: { readonly known: ConfigText; readonly said: ReadConfig },
    { userHome, after = afterReal, interval = defaultInterval }: ConfigFileParts,
  ) {
    this.name = basename(path);
    this.userHome = userHome;
    this.said = said;
    this.told = said.problems;
    const onChange = (read: ConfigText) => this.take(read);
    this.watch = new ConfigWatch(path, { after, interval, known, onChange });
  }

  /** The same object until the file says something else. */
  get current(): HubConfig {
    return this.said.config;
  }

  /** Finished sentences, in the order of the file, that begin with their place in it. */
  get problems(): readonly string[] {
    return this.told;
  }

  /** The servers in the file that can't be used, because they have a mistake. */
  get leftOut(): readonly string[] {
    return [...this.said.leftOut.keys()];
  }

  /** The servers in the file that are switched off there. */
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
    this.watch.dispose();
    this.didChange.dispose();
  }

  private take(read: ConfigText): void {
    const { said, told } = this;
    const next = this.readAgain(read);
    if (next.ok) {
      this.said = next.said === said.said ? said : next;
      this.told = next.problems;
    } else {
      this.told = [`${next.problem} The servers stay as they were.`];
    }
    if (this.said !== said || this.told.join('\n') !== told.join('\n')) {
      this.didChange.fire();
    }
  }

  private readAgain(read: ConfigText): ParsedConfig {
    return read.ok
      ? parseConfig(read.text, { file: this.name, userHome: this.userHome })
      : { ok: false, problem: `${printable(this.name)}:1:1: The file ${read.reason}` };
  }
}

const example = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] } } }';

function unreadable(path: string, { isMissing, reason }: NoConfigText): string {
  const problem = `The configuration ${printable(path)} ${reason}`;
  return isMissing ? `${problem} Make it, for example: ${example}` : problem;
}

/** Why there is no server of this name to be called, and which there are, in finished sentences. */
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
