import { isFileUri } from '../paths/fileUri.ts';

// The hub's guard recognizes a local path by the text of an argument alone. If these rules miss a
// path, the path passes unchecked. If they take another text for a path, the call may be refused.

/**
 * The forms of a text that a program may read: unchanged; without quotes, blanks and invisible
 * characters around it; and with percent escapes decoded once and twice.
 */
export function formsOf(text: string): ReadonlySet<string> {
  const forms = new Set([text]);
  let form = stripped(text);
  for (let times = 0; times < 3; times++) {
    forms.add(form);
    form = form.includes('%') ? stripped(decoded(form)) : form;
  }
  // URL parsers drop tabs and line ends.
  const joined = /[\t\r\n]/.test(form) ? form.replace(/[\t\r\n]/g, '') : '';
  return /^file:[\\/]\S*$/i.test(joined) ? forms.add(joined) : forms;
}

function stripped(text: string): string {
  return isBare.test(text) ? text : text.replace(start, '').replace(end, '');
}

const isBare = /^[\w./@-](?:[^\0]*[\w./])?$/;
const start = /^[\s"'`<(\p{Cc}\p{Cf}]+/u;
const end = /(?<![\s"'`>)\p{Cc}\p{Cf}])[\s"'`>)\p{Cc}\p{Cf}]+$/u;

function decoded(text: string): string {
  // In a URI, a decoded `#` or `?` would begin another part.
  const escapes = isFileUri(text) ? /(?:%(?!23|3f)[\da-f]{2})+/gi : /(?:%[\da-f]{2})+/gi;
  return text.replace(escapes, some => {
    try {
      return decodeURIComponent(some);
    } catch {
      return some.replace(/%[0-7][\da-f]/gi, one => decodeURIComponent(one));
    }
  });
}

/**
 * The local path in a `file:` URI, in a URI that opens an editor, or after a scheme without a host,
 * as in `sqlite:////a`. `undefined` for other texts, such as URIs with a host.
 */
export function pathInUri(text: string): string | undefined {
  if (!text.includes(':')) {
    return undefined;
  }
  const [, file, other] = localUri.exec(text) ?? [];
  return file ?? other;
}

/** The slash before a drive's letter does not belong to the path: `sqlite:///C:/a`. */
const localUri =
  /^(?:(?:[a-z][\w.-]{0,30}[:+]){0,3}(file:.+)|(?:(?:vscode[\w-]*|vscodium|cursor|windsurf):\/\/file(?=\/)|[a-z][\w+.-]+:\/\/(?=[\\/~]|[a-z]:[\\/]|\.{1,2}(?:[\\/]|$)))(?:\/(?=[a-z]:[\\/]))?(.*))$/is;

/** Whether the text is a URI with a host, or a place on another machine as `scp` writes it. */
export function isRemote(text: string): boolean {
  return /^(?:[a-z][\w+.-]+:\/\/[^\\/~.]|[a-z][\w+.-]+:\/\/\.\w|[\w.-]+@[\w.-]+:(?!\/\/))/i.test(
    text,
  );
}

/** The beginnings by which a text is surely a local path. */
type PathStart = 'home' | 'drive' | 'absolute';

/** How the text begins; `undefined` for a relative path or a text that is not a path. */
export function pathStart(text: string): PathStart | undefined {
  switch (text.charAt(0)) {
    case '/':
      return 'absolute';
    case '\\':
      return unc.test(text) ? 'drive' : 'absolute';
    case '~':
    case '$':
    case '%':
      return home.test(text) ? 'home' : undefined;
    default:
      return /^[a-z]:[\\/]/i.test(text) ? 'drive' : undefined;
  }
}

/** `\\` with a server and a share, or a device. Regular expressions may begin with `\\`, too. */
const unc = /^\\\\(?:[?.][\\/]|[\w.$-]+[\\/](?![\\/]))/;
/** A user's home folder, as `~` or as a variable. */
const home =
  /^(?:~(?:$|[\w.-]*[\\/])|\$(?:HOME\b|\{HOME\}|env:(?:HOME|USERPROFILE)\b)|%(?:HOME|HOMEDRIVE|USERPROFILE|HOMEPATH|APPDATA|LOCALAPPDATA)%)/i;

/** Whether the text has a segment `..`, with slashes or backslashes around it. */
export function climbs(text: string): boolean {
  return text.includes('..') && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text);
}

/** Separators in a list of paths, without the colons of a drive or a `file:` URI. */
const listSign = /[,;]|(?<!(?:^|[:,;])(?:(?:file:\/\/\/)?[a-z]|file)):/i;

/** The parts after an option, a name or a path in a text: `--a=/b`, `-I/b`, `@/b`, `ab:/b`. */
export function partsOf(text: string): readonly string[] {
  const glued =
    /^-{1,2}[\w-]*?(?=[\\/~$%"']|\.\.|@|[a-z]:[\\/]|file:)/i.exec(text)?.[0].length ?? 0;
  const option = glued > 0 ? [text.slice(glued)] : [];
  const file = /^[@<>]/.test(text) ? [text.slice(1)] : [];
  const equals = text.indexOf('=');
  const list = equals < 0 && /[:,;]/.test(text) ? text.split(listSign) : [];
  return [...option, ...file, ...(equals < 0 ? list : [text.slice(equals + 1)])];
}
