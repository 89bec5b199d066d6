import { withoutBreaks } from './rewriting.ts';

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

/**
 * A single word that is a path for what reads it in its own way: a `file:` URI, as URL parsers leave
 * out tabs and ends of lines, or a name with what no name can hold, behind which C sees nothing.
 */
export function misreadPath(text: string): string | undefined {
  const word = withoutBreaks(text);
  if (/\s/.test(word)) {
    return undefined;
  }
  // A name below `file:` in a text of several lines is what that line says.
  const isUri =
    word !== text && /^(?:[a-z.-]+\+)?file:/i.test(word) && !/^file:\s+[^\s\\/]/i.test(text);
  // The first test is the quick one.
  return isUri || (/[\0\ud800-\udfff]/.test(word) && /[\0\p{Surrogate}]/u.test(word))
    ? word
    : undefined;
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
