import { isJsonObject, type KeyPath } from '../json.ts';
import { fetchedWords } from '../servers/fetchingPrograms.ts';
import { splitAtVariables } from '../settings/variables.ts';
import { isSecretName } from './secretNames.ts';

/** Takes a secret away and answers what stands for it; `hint` is a name to know it by. */
export type Hide = (hint: string, secret: string) => string;

/**
 * The text with each literal secret in it hidden: the value of what is called like a secret,
 * credentials after `Bearer` and in URLs, and what looks like the key of a well-known service.
 * Rather one too many than one too few: what stands for it makes the same text again.
 */
export function hideSecrets(text: string, name: string | undefined, hide: Hide): string {
  if (name !== undefined && isSecretName(name)) {
    return hideValue(text, name, hide);
  }
  if (name !== undefined && proxyName.test(name) && !text.includes('://')) {
    // The address of a proxy may stand without its scheme, and have a password all the same.
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
 * Arguments of a program, of which one may be a secret because the one before it says so: `--token
 * abc`. What names a package that the program fetches and runs is none, whatever it looks like.
 */
export function hideSecretArguments(
  command: string,
  args: readonly string[],
  hide: Hide,
): string[] {
  const fetched = fetchedWords(command, args);
  return args.map((arg, at) => {
    if (fetched?.has(at)) {
      return arg.includes('://') ? hideInAddress(arg, hide) : arg;
    }
    const before = args[at - 1] ?? '';
    const isValue = takesValue.test(before) && !arg.startsWith('-');
    return hideSecrets(arg, isValue ? bare(before) : undefined, hide);
  });
}

/** Hides the parts of a fetched address that do not decide where it leads. */
function hideInAddress(text: string, hide: Hide): string {
  return hideNamed(hideCredentials(text, undefined, hide), hide);
}

const proxyName = /^(?:https?|all|ftp)_proxy$/i;

/** An option whose value may follow it; one that switches something off takes none. */
const takesValue = /^--?(?!(?:no|disable|skip|without)-)\w[^=]*$/;
const noSecret =
  /^(?:true|false|yes|no|on|off|none|null|undefined|auto|default|basic|bearer|oauth2?|\s*)$/i;
/** A plain user name is no secret, as in `ssh://git@host`. */
const plainUser = /^[a-z_]{1,12}$/;
const scheme = /^(Bearer|Basic|Token)(\s+)/i;

/** All of a value but its variables and the word that says what kind of credentials it is. */
function hideValue(value: string, name: string, hide: Hide): string {
  const [kept = ''] = scheme.exec(value) ?? [];
  return kept + hideLiterals(value.slice(kept.length), name, hide);
}

function hideLiterals(text: string, hint: string, hide: Hide): string {
  return literalsOf(text, literal => (noSecret.test(literal) ? literal : hide(hint, literal)));
}

/** The text with everything replaced that is no variable. */
function literalsOf(text: string, replace: (literal: string) => string): string {
  return splitAtVariables(text)
    .map((part, at) => (at % 2 === 0 ? replace(part) : part))
    .join('');
}

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

/** The password of `user:password`, else all: what stands alone and is no plain name is a token. */
function hideLogin(credentials: string, hide: Hide): string {
  if (plainUser.test(credentials)) {
    return credentials;
  }
  const [, user = '', password = credentials] =
    /^((?:\$\{[^}]*\}|[^:$])*:)(.*)$/s.exec(credentials) ?? [];
  // A token may stand in the place of the user.
  const [name, mark] = [user.slice(0, -1), user.slice(-1)];
  const shown = plainUser.test(name) ? name : hideLiterals(name, 'password', hide);
  return shown + mark + hideLiterals(password, 'password', hide);
}

/** Values in a query, in a list of settings (`a=b;c=d`) and in JSON, by their names. */
function hideNamed(text: string, hide: Hide): string {
  const byName = (all: string, start: string, name: string, mark: string, value: string) =>
    isSecretName(name) ? start + name + mark + hideValue(value, name, hide) : all;
  return text
    .replace(/([?&;,=#\s])([\w.%-]+)(=)((?:\$\{[^{}]*\}|(?!,[\w.%-]+=)[^&;\s#])+)/g, byName)
    .replace(/(")([\w.-]+)("\s*:\s*")((?:\\.|[^"\\])+)/g, byName)
    .replace(/([;,=\s])([\w.-]+)(:\s*)((?:\$\{[^{}]*\}|[^\s,;])+)/g, byName);
}

/** The forms of keys of well-known services. */
const knownKeys = new RegExp(
  [
    // The text after the end of a key is not part of it.
    '-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)',
    `\\b(?:${[
      'sk-[\\w-]{16,}|[rs]k_(?:live|test)_\\w{10,}|gh[pousr]_\\w{16,}|github_pat_\\w{16,}',
      'glpat-[\\w-]{16,}|xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[\\w-]{30,}',
      'eyJ[\\w-]{8,}(?:\\.[\\w-]+)*|npm_\\w{30,}|hf_\\w{20,}|ntn_\\w{20,}|lin_api_\\w{20,}',
      'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|pypi-[\\w-]{40,}|dop_v1_\\w{32,}|shp[a-z]{2}_\\w{32,}',
    ].join('|')})`,
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
 * The places of secrets in plain text in the definition of a server, in the form of any client. A variable,
 * as in `${input:token}`, is no secret.
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
  // Something for each that is no text, so that the others keep their places.
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

function isSecretIn(text: string, name?: string): boolean {
  return hideSecrets(text, name, () => hidden) !== text;
}

/** In no text that a person wrote, so that whatever is hidden makes a difference. */
const hidden = '\0';
