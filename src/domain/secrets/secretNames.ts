/** Words that mean a secret anywhere in a name. */
const secretWords: ReadonlySet<string> = new Set([
  ...['token', 'tokens', 'secret', 'secrets', 'key', 'keys', 'jwt', 'bearer', 'cookie', 'cookies'],
  ...['password', 'passwords', 'passwd', 'passphrase', 'pass', 'pwd', 'credential', 'credentials'],
  ...['auth', 'authorization', 'authentication', 'pat', 'dsn', 'sas', 'sig', 'signature'],
  ...['creds', 'pgpass', 'sshpass', 'basicauth', 'mnemonic', 'mnemonics', 'keypair', 'passcode'],
]);
/** A name that ends with one of these words means a place, an amount or a program, not a secret. */
const noValues: ReadonlySet<string> = new Set([
  ...['command', 'cmd', 'program', 'provider', 'helper', 'module', 'backend', 'plugin'],
  ...['host', 'server', 'endpoint', 'url', 'uri', 'path', 'file', 'dir', 'directory', 'folder'],
  ...['limit', 'count', 'size', 'length', 'budget', 'ttl', 'expiry', 'timeout', 'interval'],
  ...['name', 'type', 'mode', 'method', 'enabled', 'required'],
]);
/** Words for a secret. They may follow another word without a separator, as in `PGPASSWORD`. */
const secretEnd =
  /(?:token|secret|password|passwd|passphrase|mnemonic|seedphrase|apihash|sess(?:ion)?(?:id|data|string)|(?:api|access|auth|private|priv|secret|encryption|master|signing)key)$/;
/** Words that mean a secret if they stand together, or at the end of a name. */
const secretPhrase = new RegExp(
  [
    '(?:^| )(?:conn(?:ection)? ?str(?:ing)?|(?:seed|recovery|backup|wallet) (?:phrase|words))(?: |$)',
    '(?:^| )(?:api hash|(?:access|security) code|session (?:string|id|data)|string session)(?: |$)',
    '(?<=^| )(?:(?<!(?:^| )(?:random|noise|db|database) )seed|session|pin|otp|totp|pw|wif)$',
  ].join('|'),
);
/** Names for a webhook's address: whoever knows the address can use it. */
const webhook = /(?:^| )web ?hooks?(?: (?:ur[il]s?|address|endpoint)(?: .*)?)?$/;
const amounts: ReadonlySet<string> = new Set(['max', 'min', 'num', 'total']);

/**
 * Whether a name suggests that its value must stay out of logs, prompts and stored state. Only
 * whole words count: `AUTHOR`, `AUTHORITY` and `KEYRING` are harmless. Names that end with a place,
 * an amount or a program are harmless, too: `AUTH_SERVER`, `TOKEN_LIMIT`, `PASSWORD_COMMAND`.
 */
export function isSecretName(name: string): boolean {
  const words = name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/)
    .map(word => word.toLowerCase().replace(/\d{1,9}$/, ''))
    .filter(Boolean);
  const phrase = words.join(' ');
  if (webhook.test(phrase)) {
    return true;
  }
  const last = words.at(-1) ?? '';
  if (noValues.has(last) || (last === 'tokens' && words.some(word => amounts.has(word)))) {
    return false;
  }
  return (
    words.some(word => secretWords.has(word) || secretEnd.test(word)) || secretPhrase.test(phrase)
  );
}
