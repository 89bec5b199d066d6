/** Words that mean a secret where they stand in a name. */
const secretWords: ReadonlySet<string> = new Set([
  ...['token', 'tokens', 'secret', 'secrets', 'key', 'keys', 'jwt', 'bearer', 'cookie', 'cookies'],
  ...['password', 'passwords', 'passwd', 'passphrase', 'pass', 'pwd', 'credential', 'credentials'],
  ...['auth', 'authorization', 'authentication', 'pat', 'dsn', 'sas', 'sig', 'signature'],
  ...['creds', 'pgpass', 'sshpass', 'basicauth'],
]);
/** Words by which a name that ends with them says where something is, or what is run to get it. */
const places: ReadonlySet<string> = new Set([
  ...['command', 'cmd', 'program', 'provider', 'helper', 'module', 'backend', 'plugin'],
  ...['host', 'server', 'endpoint', 'url', 'uri', 'path', 'file', 'dir', 'directory', 'folder'],
]);
/** Endings that names run together with the word before, as in `PGPASSWORD`. */
const secretEnd =
  /(?:token|secret|password|passwd|passphrase|(?:api|access|auth|private|secret|encryption|master|signing)key)$/;
const connectionString = /(?:^| )conn(?:ection)? ?str(?:ing)?(?: |$)/;

/**
 * Whether a name suggests that its value must be kept out of logs, prompts and stored state. Words
 * count whole: `AUTHOR`, `AUTHORITY` and `KEYRING` are none. A name that ends with what leads
 * somewhere or is run is none either: `AUTH_SERVER`, `PASSWORD_COMMAND`.
 */
export function isSecretName(name: string): boolean {
  const words = name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/)
    .map(word => word.toLowerCase().replace(/\d{1,9}$/, ''));
  if (places.has(words.findLast(Boolean) ?? '')) {
    return false;
  }
  return (
    words.some(word => secretWords.has(word) || secretEnd.test(word)) ||
    connectionString.test(words.join(' '))
  );
}
