/**
 * The path in a URI that means something on this machine: one without an authority, as
 * `sqlite:////a`, or of a scheme that is about local files, as `vscode://file/a`. `undefined` for
 * every other URL, and for what is none.
 */
export function pathOfLocalUri(text: string): string | undefined {
  if (!text.includes('://')) {
    return undefined;
  }
  const [, scheme = '', authority = '', path = ''] = uri.exec(text) ?? [];
  if (scheme === '' || /^[\\/]*:memory:/.test(path)) {
    return undefined;
  }
  if (authority === '' || (/^localhost$/i.test(authority) && isLocal(scheme))) {
    return path;
  }
  if (/^(?:vscode|vscodium|cursor|code-oss|windsurf)/i.test(scheme)) {
    return /^file$/i.test(authority) ? path : undefined;
  }
  return isLocal(scheme) ? authority + path : undefined;
}

/** A part before `+` says how a file is read: `git+file`, `unix+http`. */
function isLocal(scheme: string): boolean {
  return (
    scheme.length === 1 ||
    scheme
      .toLowerCase()
      .split('+')
      .some(part => localSchemes.has(part))
  );
}

const uri = /^([a-z][a-z\d+.-]{0,50}):\/\/([^\\/?#]*)([\s\S]*)$/i;

const localSchemes: ReadonlySet<string> = new Set([
  ...['file', 'fileb', 'local', 'localfile', 'unix', 'npipe', 'pipe', 'fd', 'dir', 'path'],
  ...['sqlite', 'sqlite3', 'duckdb', 'jar', 'zip', 'tar', 'gzip', 'archive', 'osfs', 'posix'],
]);
