import { posix, win32 } from 'node:path';
import { printable } from '../printable.ts';
import { type Hide, hideSecretArguments, hideSecrets } from '../secrets/literalSecrets.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { replaceVariables, type Variable } from '../settings/variables.ts';
import type { FileInput, FileInputs, ServerInputs } from './importedInputs.ts';
import type { ImportSource } from './importPlaces.ts';

/** Converts the texts of one server: its variables translated, its secrets taken out. */
export class EntryTexts {
  /** Why the server may not be what it was. */
  readonly doubts: Sentence[] = [];
  private readonly source: ImportSource;
  private readonly fileInputs: FileInputs;
  private readonly serverInputs: ServerInputs;
  private readonly asked = new Map<string, string>();
  private readonly keptNames = new Set<string>();
  private readonly missingNames = new Set<string>();

  constructor(source: ImportSource, fileInputs: FileInputs, serverInputs: ServerInputs) {
    this.source = source;
    this.fileInputs = fileInputs;
    this.serverInputs = serverInputs;
  }

  /** What a person should know of the secrets that were found. */
  get notes(): Sentence[] {
    const kept = [...this.keptNames].join(', ');
    const missing = [...this.missingNames].join(', ');
    return [
      ...(kept ? [sentence('Kept in the secret storage, not in the settings: {0}.', kept)] : []),
      ...(missing ? [sentence('You are asked for it at the first start: {0}.', missing)] : []),
    ];
  }

  /**
   * @param key where the text is, for the doubts.
   * @param name what it is the value of, if it has a name.
   */
  text(text: string, key: string, name?: string): string {
    return hideSecrets(this.translate(text, key), name, this.hide);
  }

  args(command: string, args: readonly string[]): string[] {
    return hideSecretArguments(
      command,
      args.map(arg => this.translate(arg, 'args')),
      this.hide,
    );
  }

  /** What stands for a secret. */
  readonly hide: Hide = (hint, secret) => {
    const isMissing = placeholder.test(secret);
    (isMissing ? this.missingNames : this.keptNames).add(printable(hint));
    return this.serverInputs.add(hint, isMissing ? undefined : secret);
  };

  private translate(text: string, key: string): string {
    return translateVariables(text, this.source, {
      ownInput: (id, asWritten) => (this.fileInputs.byId.has(id) ? this.input(id, key) : asWritten),
      input: id => this.input(id, key),
      unknown: variable => {
        const reason =
          '"{0}" holds {1}, which has no counterpart here. You are asked for its value.';
        return this.ask(variable, kindOf(variable), () => [reason, key, shown(variable)]);
      },
      withDefault: name => {
        this.doubts.push(
          sentence('"{0}" has a default for {1}, which is lost.', key, `\${${printable(name)}}`),
        );
        return `\${env:${name}}`;
      },
    });
  }

  private input(id: string, key: string): string {
    const { fileInputs, serverInputs } = this;
    const found = fileInputs.byId.get(id);
    if (!found) {
      const reason =
        '"{0}" uses the input "{1}", which the file does not define. You are asked for it.';
      return this.ask(`input:${id}`, id, () => [reason, key, masked(id)]);
    }
    if (!serverInputs.all.includes(found.input)) {
      this.firstUse(found, id);
    }
    return serverInputs.use(found.input);
  }

  private firstUse({ input, kept, isComputed }: FileInput, id: string): void {
    this.serverInputs.keep(input.id, kept);
    if (kept !== undefined) {
      this.keptNames.add(masked(id));
    }
    if (isComputed) {
      this.doubts.push(
        sentence('The input "{0}" is no question to a person. You are asked for it.', masked(id)),
      );
    }
  }

  /** An input of its own for what can't be told, the same each time the same is meant. */
  private ask(variable: string, hint: string, doubt: () => readonly [string, ...string[]]): string {
    const known = this.asked.get(variable);
    if (known !== undefined) {
      return known;
    }
    this.doubts.push(sentence(...doubt()));
    const asked = this.serverInputs.add(masked(hint), undefined);
    this.asked.set(variable, asked);
    return asked;
  }
}

/**
 * A value that stands for a secret which is not known yet: it is asked for when it is needed. Like
 * the secret it must be one that a header can hold, which excludes an ellipsis.
 */
export const askedLater = '...';

/** What authors of examples write where a secret belongs. */
const placeholder =
  /^(?:<[^<>]*>|\[[^[\]]*\]|(?:your|my|insert|enter)[-_ ].*|x{3,}|\*{3,}|\.{3}|\u2026)$/i;

function kindOf(variable: string): string {
  return /^\w*/.exec(variable)?.[0] || 'variable';
}

/** The variable without what follows its kind, which may be anything. */
function shown(variable: string): string {
  const rest = variable.slice(kindOf(variable).length);
  return `\${${masked(kindOf(variable))}${rest && ':…'}}`;
}

function masked(text: string): string {
  return printable(hideSecrets(text, undefined, () => '…'));
}

/** What becomes of the variables that have no exact counterpart, and of inputs. */
interface VariableRules {
  /** What stands for `${input:id}` of our own settings. */
  readonly ownInput: (id: string, asWritten: string) => string;
  /** What stands for `${input:id}` of the file. */
  readonly input: (id: string) => string;
  /** What stands for a variable that can't be translated; it is given without `${` and `}`. */
  readonly unknown: (variable: string) => string;
  /** What stands for one with a default value, which is lost. */
  readonly withDefault: (name: string) => string;
}

/**
 * The text with the variables of another client's file written as `mcpRoots.servers` knows them.
 * All that is left in the answer is known there, or comes from the rules.
 */
function translateVariables(text: string, source: ImportSource, rules: VariableRules): string {
  if (source.dialect === 'own') {
    return replaceVariables(text, ({ asWritten, variable }) =>
      variable?.kind === 'input' ? rules.ownInput(variable.name, asWritten) : asWritten,
    );
  }
  return replaceVariables(text, ({ asWritten, variable }) => {
    const inside = asWritten.slice('${'.length, -1);
    return (
      exact(inside, source) ??
      (isShared(variable, source) ? asWritten : byRule(inside, source, rules))
    );
  });
}

/** The exact counterpart, if there is one. */
function exact(variable: string, { dialect, folder, separator }: ImportSource): string | undefined {
  if (dialect === 'claude-desktop') {
    return undefined; // It knows no variables: what looks like one is a text.
  }
  if (dialect === 'claude-code' && folder && /^CLAUDE_PROJECT_DIR(?::-.*)?$/s.test(variable)) {
    return ofFolder(folder); // Claude Code sets it itself, so that its default never counts.
  }
  switch (variable) {
    case 'workspaceFolder':
      return ofFolder(folder);
    case 'workspaceFolderBasename':
      return folder && baseName(folder.path, separator);
    case 'pathSeparator':
    case '/':
      return separator;
    default:
      return undefined;
  }
}

/** Whether it means the same here as there. */
function isShared(variable: Variable | undefined, { dialect }: ImportSource): boolean {
  switch (variable?.kind) {
    case 'workspaceFolder':
    case 'userHome':
      return dialect !== 'claude-desktop';
    case 'env':
      // Nothing else is the name of a variable: it may be a value that was put there by mistake.
      return dialect !== 'claude-desktop' && /^[\w()]+$/.test(variable.name);
    default:
      return false;
  }
}

function byRule(variable: string, { dialect }: ImportSource, rules: VariableRules): string {
  const [, kind = '', rest = ''] = /^(input):(.+)$/s.exec(variable) ?? [];
  if (kind === 'input' && dialect !== 'claude-desktop') {
    return rules.input(rest);
  }
  const [, name = '', hasDefault] = /^([A-Za-z_]\w*)(:-.*)?$/s.exec(variable) ?? [];
  if (dialect !== 'claude-code' || name === '') {
    return rules.unknown(variable);
  }
  return hasDefault === undefined ? `\${env:${name}}` : rules.withDefault(name);
}

function ofFolder(folder: ImportSource['folder']): string | undefined {
  if (!folder || folder.isOnly) {
    return `\${workspaceFolder}`;
  }
  // A name that would end the variable early can't be said in one.
  return /[{}]/.test(folder.name) ? undefined : `\${workspaceFolder:${folder.name}}`;
}

function baseName(path: string, separator: string): string | undefined {
  const name = (separator === '/' ? posix : win32).basename(path);
  return name.includes('$') ? undefined : name;
}
