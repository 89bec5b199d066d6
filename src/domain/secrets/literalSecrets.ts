import { fetchedWords } from '../fetchingPrograms.ts';
import { isJsonObject, type KeyPath } from '../json.ts';
import { splitAtVariables } from '../variables.ts';
import { isSecretName } from './secretNames.ts';

/** Returns the replacement of a secret that `hint` names; with `variable`, of its default. */
export type Hide = (hint: string, secret: string, variable?: string) => string;

/**
 * Hides every literal secret of a text: the values of names that suggest secrets, credentials after
 * `Bearer` and in URLs, and texts that look like keys of well-known services. At worst, too much is
 * hidden. `hide` gets each hidden part as written, so a caller can restore the text.
 */
export function hideSecrets(written: string, name: string | undefined, hide: Hide): string {
  const text = literalsOf(written, (literal, variable) =>
    variable === undefined
      ? literal
      : hideSecrets(literal, variable, (hint, secret) => hide(hint, secret, variable)),
  );
  if (name !== undefined && isSecretName(name)) {
    return hideValue(text, name, hide);
  }
  if (name !== undefined && proxyName.test(name) && !text.includes('://')) {
    // A proxy's address may have a password, even without a scheme.
    return hideCredentials(`http://${text}`, name, hide).slice('http://'.length);
  }
  const [, key = '', mark = '', value = ''] =
    /^(-{0,2}[\w.-]+)(=|:\s*)(.+)$/s.exec(text) ?? /^(--[^\s="'{]+)(=)(.+)$/s.exec(text) ?? [];
  if (isSecretName(key)) {
    return key + mark + hideValue(value, bare(key), hide);
  }
  return hideKnownKeys(hideNamed(hideCredentials(text, name, hide), hide), name, hide);
}

/**
 * Hides secrets in a program's arguments. An argument may mark the next argument as a secret:
 * `--token abc`. The name of a package that the program fetches is never a secret.
 */
export function hideSecretArguments(
  command: string,
  args: readonly string[],
  hide: Hide,
): string[] {
  const fetched = fetchedWords(command, args);
  return args.map((arg, at) => {
    if (fetched?.has(at)) {
      // Other parts of an address decide where it leads, so they stay visible.
      return arg.includes('://') ? hideNamed(hideCredentials(arg, undefined, hide), hide) : arg;
    }
    const before = args[at - 1] ?? '';
    const isValue = takesValue.test(before) && !arg.startsWith('-');
    return hideSecrets(arg, isValue ? bare(before) : undefined, hide);
  });
}

const proxyName = /^(?:https?|all|ftp)_proxy$/i;

/** An option that may be followed by its value. Options that disable something have no value. */
const takesValue = /^--?(?!(?:no|disable|skip|without)-)\w[^=]*$/;
const noSecret =
  /^(?:true|false|yes|no|on|off|none|null|undefined|auto|default|basic|bearer|oauth2?|\s*)$/i;
/** A plain user name is not a secret, as in `ssh://git@host`. */
const plainUser = /^[a-z_]{1,12}$/;
const scheme = /^(Bearer|Basic|Token)(\s+)/i;

/** Hides a value, but not its variables and not a word such as `Bearer`. */
function hideValue(value: string, name: string, hide: Hide): string {
  const [kept = ''] = scheme.exec(value) ?? [];
  return kept + hideLiterals(value.slice(kept.length), name, hide);
}

function hideLiterals(text: string, hint: string, hide: Hide): string {
  return literalsOf(text, (part, of) => (noSecret.test(part) ? part : hide(hint, part, of)));
}

/** The text with its literal parts replaced: text outside variables, and variables' defaults. */
function literalsOf(text: string, replace: (literal: string, variable?: string) => string): string {
  const replaced = (part: string, at: number) => {
    if (at % 2 === 0) {
      return replace(part);
    }
    const [, start, variable, literal = part.slice(1)] = withDefault.exec(part) ?? [];
    const shown = start || literalBraces.test(part) ? replace(literal, variable) : literal;
    const initial = shown.includes(hidden) ? '' : `:-${shown}`;
    return shown === literal ? part : start ? `${start}${initial}}` : shown;
  };
  return splitAtVariables(text).map(replaced).join('');
}

const withDefault = /^(\$?\$\{(?:env:)?([^:}]*)):-(.+)\}$/s;
/** A literal `$${…}` whose braces hold more than a variable's name: maybe a secret. */
const literalBraces = /^\$\$(?!\{(?:[A-Z_][A-Z\d_]*|\d)\})/;

function hideCredentials(text: string, name: string | undefined, hide: Hide): string {
  return text
    .replace(/\b(Bearer\s+)([^\s"'\\,;]+)/gi, (_, word: string, value: string) => {
      return word + hideLiterals(value, name ?? 'bearer', hide);
    })
    .replace(
      /(?<![\w+.-])([a-z][\w+.-]*:\/\/)([^\s/?#]*)@/gi,
      (_, start: string, credentials: string) => `${start}${hideLogin(credentials, hide)}@`,
    );
}

/** Hides the password of `user:password`. A single part is a token unless it is a plain name. */
function hideLogin(credentials: string, hide: Hide): string {
  if (plainUser.test(credentials)) {
    return credentials;
  }
  const [, user = '', password = credentials] =
    /^((?:\$\{[^}]*\}|[^:$])*:)(.*)$/s.exec(credentials) ?? [];
  // Some services take a token in place of the user.
  const [name, mark] = [user.slice(0, -1), user.slice(-1)];
  const shown = plainUser.test(name) ? name : hideLiterals(name, 'password', hide);
  return shown + mark + hideLiterals(password, 'password', hide);
}

/** Hides values in a query, in a list of settings (`a=b;c=d`) and in JSON, by their names. */
function hideNamed(text: string, hide: Hide): string {
  const byName = (all: string, start: string, name: string, mark: string, value: string) =>
    isSecretName(name) ? start + name + mark + hideValue(value, name, hide) : all;
  return text
    .replace(/([?&;,=#\s])([\w.%-]+)(=)((?:\$\{[^{}]*\}|(?!,[\w.%-]+=)[^&;\s#])+)/g, byName)
    .replace(/(")([\w.-]+)("\s*:\s*")((?:\\.|[^"\\])+)/g, byName)
    .replace(/([;,=\s])([\w.-]+)(:\s*)((?:\$\{[^{}]*\}|[^\s,;])+)/g, byName);
}

const restOfPath = '[^\\s"\'?#]+';

/** What keys of well-known services look like. */
const knownKeys = new RegExp(
  [
    // Text after the end of a key does not belong to the key.
    '-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)',
    `\\b(?:${[
      'sk-[\\w-]{16,}|[rs]k_(?:live|test)_\\w{10,}|gh[pousr]_\\w{16,}|github_pat_\\w{16,}',
      'glpat-[\\w-]{16,}|xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[\\w-]{30,}',
      'eyJ[\\w-]{8,}(?:\\.[\\w-]+)*|npm_\\w{30,}|hf_\\w{20,}|ntn_\\w{20,}|lin_api_\\w{20,}',
      'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|pypi-[\\w-]{40,}|dop_v1_\\w{32,}|shp[a-z]{2}_\\w{32,}',
      'figd_[\\w-]{20,}|sbp_\\w{20,}|gsk_\\w{20,}|pplx-\\w{20,}|tvly-[\\w-]{16,}|xai-\\w{20,}',
    ].join('|')})`,
    // The token of a Telegram bot, alone or in an address.
    '(?<!\\d)\\d{8,10}:AA[\\w-]{30,}',
    // Addresses that are secrets themselves: of webhooks, and of services with the key in the path.
    `(?<=//(?:hooks\\.slack|hooks\\.zapier|mcp\\.zapier)\\.com/)(?=[\\w/-]{16})${restOfPath}`,
    `(?<=://[^\\s"'?#]{1,200}(?:/(?:web)?hook(?:s|b2)?|\\.(?:make|infura|alchemy)\\.\\w{2,3})/)(?=[^\\s"'?#]{0,200}[\\w-]{16})${restOfPath}`,
  ].join('|'),
  'gs',
);

function hideKnownKeys(text: string, name: string | undefined, hide: Hide): string {
  return literalsOf(text, literal =>
    literal.replace(knownKeys, secret => hide(name ?? 'key', secret)),
  );
}

function bare(name: string): string {
  return name.replace(/^-+/, '');
}

/**
 * The places of plain-text secrets in a server's definition, in any client's form. A variable, such
 * as `${input:token}`, is not a secret.
 */
export function plainSecrets(entry: unknown): readonly KeyPath[] {
  if (!isJsonObject(entry)) {
    return [];
  }
  const { command, args, env, headers, url } = entry;
  return [
    ...ofArguments(typeof command === 'string' ? command : '', args),
    ...ofValues('env', env),
    ...ofValues('headers', headers),
    ...(typeof url === 'string' && isSecretIn(url) ? [['url']] : []),
  ];
}

function ofArguments(command: string, args: unknown): readonly KeyPath[] {
  // An argument that is not a text gets an empty text, so that indices stay right.
  const texts = Array.isArray(args) ? args.map(arg => (typeof arg === 'string' ? arg : '')) : [];
  const shown = hideSecretArguments(command, texts, () => hidden);
  return texts.flatMap((text, index) => (shown[index] === text ? [] : [['args', index]]));
}

function ofValues(key: 'env' | 'headers', values: unknown): readonly KeyPath[] {
  const texts = isJsonObject(values) ? Object.entries(values) : [];
  return texts.flatMap(([name, text]) =>
    typeof text === 'string' && isSecretIn(text, name) ? [[key, name]] : [],
  );
}

/** Whether a text contains a literal secret. `name` is the name of the text's value. */
export function isSecretIn(text: string, name?: string): boolean {
  return hideSecrets(text, name, () => hidden) !== text;
}

/** Stands for a secret, because nobody writes this character. A default with it is dropped. */
export const hidden = '\0';
