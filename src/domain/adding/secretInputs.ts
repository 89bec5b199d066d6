import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { type Hide, hideSecretArguments, hideSecrets } from '../secrets/literalSecrets.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { readInputSettings } from '../settings/inputs.ts';
import { variablesIn } from '../settings/variables.ts';

/** One element of the setting `mcpRoots.inputs`: a value that a person is asked for. */
export type InputEntry = JsonObject & { readonly id: string };

/** A value for `${input:id}` that belongs into the secret storage, and nowhere else. */
export interface KeptValue {
  readonly inputId: string;
  readonly value: string;
}

/** The inputs that are in the settings, or will be, by their ids. */
export type KnownInputs = ReadonlyMap<string, unknown>;

/** The inputs by their ids, of any form. */
export function inputsById(inputs: readonly unknown[]): Map<string, unknown> {
  return new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input]));
}

/** Takes the secrets out of the texts of one server, and puts an input in the place of each. */
export class SecretInputs {
  /** The values that were taken out. */
  readonly kept: KeptValue[] = [];
  private readonly serverName: string;
  private readonly known: KnownInputs;
  private readonly byId = new Map<string, InputEntry>();
  private readonly keptNames = new Set<string>();
  private readonly askedNames = new Set<string>();

  constructor(serverName: string, known: KnownInputs) {
    this.serverName = serverName;
    this.known = known;
  }

  /** The inputs in the places of secrets. */
  get inputs(): readonly InputEntry[] {
    return [...this.byId.values()];
  }

  /** @param name what the text is the value of, if it has a name. */
  text(text: string, name?: string): string {
    return hideSecrets(text, name, this.hide);
  }

  args(command: string, args: readonly string[]): string[] {
    return hideSecretArguments(command, args, this.hide);
  }

  /** Notes on the secrets. */
  get notes(): Sentence[] {
    const kept = [...this.keptNames].join(', ');
    const asked = [...this.askedNames].join(', ');
    return [
      ...(kept ? [sentence('Kept in the secret storage, not in the settings: {0}.', kept)] : []),
      ...(asked ? [sentence('You are asked for it at the first start: {0}.', asked)] : []),
    ];
  }

  /** The variable for a value that a person is asked for at the first start. */
  asked(name: string): string {
    this.askedNames.add(printable(name));
    return this.variable(name, undefined);
  }

  private readonly hide: Hide = (name, secret) => {
    if (placeholder.test(secret)) {
      return this.asked(name);
    }
    this.keptNames.add(printable(name));
    return this.variable(name, secret);
  };

  private variable(name: string, value: string | undefined): string {
    const input = this.freeInput(name);
    this.byId.set(input.id, input);
    if (value !== undefined) {
      this.kept.push({ inputId: input.id, value });
    }
    return `\${input:${input.id}}`;
  }

  /** The same each time the same server is read, so that one that was imported is known again. */
  private freeInput(name: string): InputEntry {
    const [hint, server] = [slug(name), slug(this.serverName)];
    const description = `${hint} (${server})`;
    const withId = (id: string) => ({ id, type: 'promptString', description, password: true });
    let input = withId(`${server}-${hint}`);
    for (let count = Math.max(2, this.byId.size + 1); this.isTaken(input); count += 1) {
      input = withId(`${server}-${hint}-${count}`);
    }
    return input;
  }

  private isTaken(input: InputEntry): boolean {
    const { id } = input;
    return this.byId.has(id) || (this.known.has(id) && !isSameJson(this.known.get(id), input));
  }
}

/** The ids of the inputs that the texts of a value name. */
export function inputsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return variablesIn(value).flatMap(({ variable }) =>
      variable?.kind === 'input' ? [variable.name] : [],
    );
  }
  return typeof value === 'object' && value ? Object.values(value).flatMap(inputsIn) : [];
}

/**
 * The inputs of a file that the settings take as they are. One whose default is a secret is left out: a
 * person is asked for its value all the same.
 */
export function usableInputs(value: unknown): InputEntry[] {
  return (Array.isArray(value) ? value : []).filter(isUsable);
}

function isUsable(input: unknown): input is InputEntry {
  if (!isJsonObject(input) || readInputSettings([input]).problems.length > 0) {
    return false;
  }
  const { id, password, default: initial = '' } = input;
  const isSecret = password === true || isSecretName(String(id)) || hasSecret(String(initial));
  return initial === '' || !isSecret;
}

function hasSecret(text: string): boolean {
  return hideSecrets(text, undefined, () => '\0') !== text;
}

/** Placeholders that authors of examples write for a secret. */
const placeholder =
  /^(?:<[^<>]*>|\[[^[\]]*\]|(?:your|my|insert|enter)[-_ ].*|x{3,}|\*{3,}|\.{3}|\u2026)$/i;

/** A name as part of an id: nothing in it can end the variable it is used in. */
function slug(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'server';
}
