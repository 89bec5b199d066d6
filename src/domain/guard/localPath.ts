import { isFileUri } from '../paths/fileUri.ts';

// The rules by which the hub's guard tells a path of this machine from the text of an argument alone. A path
// that is missed is passed on unchecked, and a text that is taken for one by mistake is refused.

/**
 * The forms that a program may read a text in: as it is, without the quotes, blanks and invisible
 * characters around it, and with its percent escapes decoded once and twice.
 */
export function formsOf(text: string): ReadonlySet<string> {
  const forms = new Set([text]);
  let form = stripped(text);
  for (let times = 0; times < 3; times++) {
    forms.add(form);
    form = form.includes('%') ? stripped(decoded(form)) : form;
  }
  // URL parsers leave out tabs and ends of lines.
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
  // In a URI, # and ? would begin another part of it.
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
 * The local path in a URI: a `file:` URI, one in the notation of editors, or what follows a scheme
 * without a host, as in `sqlite:////a`. `undefined` for every other text, URIs with a host included.
 */
export function pathInUri(text: string): string | undefined {
  if (!text.includes(':')) {
    return undefined;
  }
  const [, file, other] = localUri.exec(text) ?? [];
  return file ?? other;
}

/** The slash before a drive is none of its path: `sqlite:///C:/a`. */
const localUri =
  /^(?:(?:[a-z][\w.-]{0,30}[:+]){0,3}(file:.+)|(?:(?:vscode[\w-]*|vscodium|cursor|windsurf):\/\/file(?=\/)|[a-z][\w+.-]+:\/\/(?=[\\/~]|[a-z]:[\\/]|\.{1,2}(?:[\\/]|$)))(?:\/(?=[a-z]:[\\/]))?(.*))$/is;

/** Whether it is a URI with a host, or a place on another machine in the notation of `scp`. */
export function isRemote(text: string): boolean {
  return /^(?:[a-z][\w+.-]+:\/\/[^\\/~.]|[a-z][\w+.-]+:\/\/\.\w|[\w.-]+@[\w.-]+:(?!\/\/))/i.test(
    text,
  );
}

/** The beginning of a text that is unmistakably a local path. */
type PathStart = 'home' | 'drive' | 'absolute';

/** `undefined`: a relative path, or none at all. */
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

/** A server and a share, or a device. Two backslashes begin many a regular expression as well. */
const unc = /^\\\\(?:[?.][\\/]|[\w.$-]+[\\/](?![\\/]))/;
/** The home folder of a user, by the signs and the variables for it. */
const home =
  /^(?:~(?:$|[\w.-]*[\\/])|\$(?:HOME\b|\{HOME\}|env:(?:HOME|USERPROFILE)\b)|%(?:HOME|HOMEDRIVE|USERPROFILE|HOMEPATH|APPDATA|LOCALAPPDATA)%)/i;

/** Whether a segment of it, between slashes of either kind, is `..`. */
export function climbs(text: string): boolean {
  return text.includes('..') && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text);
}

/** Not the colon of a drive, nor those of a `file:` URI. */
const listSign = /[,;]|(?<!(?:^|[:,;])(?:(?:file:\/\/\/)?[a-z]|file)):/i;

/** The parts of a text behind an option, a name or another path: `--a=/b`, `-I/b`, `@/b`, `a:/b`. */
export function partsOf(text: string): readonly string[] {
  const glued =
    /^-{1,2}[\w-]*?(?=[\\/~$%"']|\.\.|@|[a-z]:[\\/]|file:)/i.exec(text)?.[0].length ?? 0;
  const option = glued > 0 ? [text.slice(glued)] : [];
  const file = /^[@<>]/.test(text) ? [text.slice(1)] : [];
  const equals = text.indexOf('=');
  const list = equals < 0 && /[:,;]/.test(text) ? text.split(listSign) : [];
  return [...option, ...file, ...(equals < 0 ? list : [text.slice(equals + 1)])];
}
