/** Words that mean a secret where they stand in a name. */
const secretWords: ReadonlySet<string> = new Set([
  ...['token', 'tokens', 'secret', 'secrets', 'key', 'keys', 'jwt', 'bearer', 'cookie', 'cookies'],
  ...['password', 'passwords', 'passwd', 'passphrase', 'pass', 'pwd', 'credential', 'credentials'],
  ...['auth', 'authorization', 'authentication', 'pat', 'dsn', 'sas', 'sig', 'signature'],
]);
/** What names run together with the word before it, as in `PGPASSWORD`. */
const secretEnd = /(?:token|secret|password|passwd|passphrase|(?:api|access|auth|private)key)$/;
const connectionString = /(?:^| )conn(?:ection)? ?str(?:ing)?(?: |$)/;

/**
 * Whether a name suggests that its value must be kept out of logs, prompts and stored state. Words
 * count whole: `AUTH_SERVER` is such a name, `AUTHOR`, `AUTHORITY` and `KEYRING` are none.
 */
export function isSecretName(name: string): boolean {
  const words = name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/)
    .map(word => word.toLowerCase().replace(/\d{1,9}$/, ''));
  return (
    words.some(word => secretWords.has(word) || secretEnd.test(word)) ||
    connectionString.test(words.join(' '))
  );
}
