/** The system whose path rules apply. It is a parameter, so that tests try every system. */
export type PathPlatform = 'linux' | 'darwin' | 'win32';

/** A path, or in whole sentences the reason why the text is not a path. */
export type PathOutcome =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Why `text` as a whole can't be a path; `undefined` when it may be a path. */
export function textProblem(text: string, platform: PathPlatform): string | undefined {
  if (text === '') {
    return 'The path is empty.';
  }
  if (text.includes('\0')) {
    return 'The path holds a NUL character.';
  }
  // The quick test comes first, because most paths hold no surrogate at all.
  if (/[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text)) {
    // Half a character becomes U+FFFD on disk, so another path would be opened than was checked.
    return 'The path holds half of a character (a lone surrogate).';
  }
  if (isLonger(text, maxPathSize[platform], platform)) {
    return 'The path is too long.';
  }
  return undefined;
}

/** Why one of these names can't be a file name on `platform`; `undefined` if all can. */
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

/** The longest path. Windows accepts 32,767, but a walk over so many folders takes minutes. */
const maxPathSize: Readonly<Record<PathPlatform, number>> = {
  linux: 4095,
  darwin: 1023,
  win32: 4095,
};

/** Linux counts bytes, up to three for each unit of a string. Other systems count units. */
function isLonger(text: string, size: number, platform: PathPlatform): boolean {
  if (platform !== 'linux' || text.length > size) {
    return text.length > size;
  }
  return text.length * 3 > size && Buffer.byteLength(text) > size;
}

function posixNameProblem(name: string, platform: PathPlatform): string | undefined {
  if (isLonger(name, 255, platform)) {
    return 'The path holds a name that is too long for a file.';
  }
  if (platform === 'darwin' && name === '..namedfork') {
    return 'The path names a resource fork of a file.';
  }
  return undefined;
}

// Names are checked as given. Win32 drops dots and blanks at the end of a name, so it would open
// another name than was checked. A device's name with a suffix still means the device.
function win32NameProblem(name: string): string | undefined {
  if (name === '.' || name === '..') {
    return undefined;
  }
  if (name.length > 255) {
    return 'The path holds a name that is too long for a file.';
  }
  if (name.includes(':')) {
    return 'The path has a colon inside a name, which Windows reads as a stream or a drive.';
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows forbids them in names.
  if (/[<>"|?*\u0001-\u001f]/.test(name)) {
    return 'The path holds a character that Windows does not allow in names.';
  }
  if (/[. ]$/.test(name)) {
    return 'The path holds a name that ends in a dot or a blank, which Windows would drop.';
  }
  return win32Device.test(name) ? 'The path names a device.' : undefined;
}

const win32Device =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[1-9\u00b9\u00b2\u00b3]|lpt[1-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
