/** The system whose path rules apply. Injected, so that every rule can be tested on every machine. */
export type PathPlatform = 'linux' | 'darwin' | 'win32';

/** Either a value or the reason, as finished sentences, why there is none. */
export type PathOutcome =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Why `text` can be no path at all, whatever its parts say; `undefined` when it may be one. */
export function textProblem(text: string, platform: PathPlatform): string | undefined {
  if (text === '') {
    return 'It is empty.';
  }
  if (text.includes('\0')) {
    return 'It holds a NUL character.';
  }
  // The first test is the quick one: most paths hold no surrogate at all.
  if (/[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text)) {
    // Half a character is written to disk as U+FFFD: what is checked would not be what is opened.
    return 'It holds half of a character (a lone surrogate).';
  }
  if (isLonger(text, maxPathSize[platform], platform)) {
    return 'It is longer than a path can be.';
  }
  return undefined;
}

/** Why a part of a path can be no file name on `platform`; `undefined` when every part can. */
export function nameProblem(names: readonly string[], platform: PathPlatform): string | undefined {
  for (const name of names) {
    const problem =
      platform === 'win32' ? win32NameProblem(name) : posixNameProblem(name, platform);
    if (problem) {
      return problem;
    }
  }
  return undefined;
}

/** Windows takes 32,767. Looking for so many folders that are not there would take minutes, and the stack. */
const maxPathSize: Readonly<Record<PathPlatform, number>> = {
  linux: 4095,
  darwin: 1023,
  win32: 4095,
};

/** Linux counts bytes, of which no unit of a string takes more than three; the others count units. */
function isLonger(text: string, size: number, platform: PathPlatform): boolean {
  if (platform !== 'linux' || text.length > size) {
    return text.length > size;
  }
  return text.length * 3 > size && Buffer.byteLength(text) > size;
}

function posixNameProblem(name: string, platform: PathPlatform): string | undefined {
  if (isLonger(name, 255, platform)) {
    return 'It holds a name longer than a file name can be.';
  }
  if (platform === 'darwin' && name === '..namedfork') {
    return 'It names a fork of a file.';
  }
  return undefined;
}

// Names are checked as they were given: Win32 drops dots and blanks at their end, so that what
// is opened would not be what was checked, and the same name with a suffix is still a device.
function win32NameProblem(name: string): string | undefined {
  if (name === '.' || name === '..') {
    return undefined;
  }
  if (name.length > 255) {
    return 'It holds a name longer than a file name can be.';
  }
  if (name.includes(':')) {
    return 'It holds a colon inside a name (a stream of a file, or a drive in the wrong place).';
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows forbids them in names.
  if (/[<>"|?*\u0001-\u001f]/.test(name)) {
    return 'It holds a character that Windows does not allow in names.';
  }
  if (/[. ]$/.test(name)) {
    return 'It holds a name that ends in a dot or a blank, which Windows would drop.';
  }
  return win32Device.test(name) ? 'It names a device.' : undefined;
}

const win32Device =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[1-9\u00b9\u00b2\u00b3]|lpt[1-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
