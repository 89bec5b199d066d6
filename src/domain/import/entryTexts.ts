import { printable } from '../printable.ts';
import { type Hide, hideSecretArguments, hideSecrets } from '../secrets/literalSecrets.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { FileInput, FileInputs } from './fileInputs.ts';
import { translateVariables } from './foreignVariables.ts';
import type { ImportSource } from './importSource.ts';
import type { ServerInputs } from './inputIds.ts';

/** What the texts of one server are converted with. */
export interface TextTerms {
  readonly source: ImportSource;
  readonly fileInputs: FileInputs;
  readonly serverInputs: ServerInputs;
}

/** Converts the texts of one server: its variables translated, its secrets taken out. */
export class EntryTexts {
  /** Why the server may not be what it was. */
  readonly doubts: Sentence[] = [];
  private readonly terms: TextTerms;
  private readonly asked = new Map<string, string>();
  private readonly keptNames = new Set<string>();
  private readonly missingNames = new Set<string>();

  constructor(terms: TextTerms) {
    this.terms = terms;
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
    return this.terms.serverInputs.add(hint, isMissing ? undefined : secret);
  };

  private translate(text: string, key: string): string {
    return translateVariables(text, this.terms.source, {
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
    const { fileInputs, serverInputs } = this.terms;
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
    this.terms.serverInputs.keep(input.id, kept);
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
    const asked = this.terms.serverInputs.add(masked(hint), undefined);
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
  /^(?:<[^<>]*>|\[[^[\]]*\]|(?:your|my|insert|enter)[-_ ].*|x{3,}|\*{3,}|\.{3}|…)$/i;

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
