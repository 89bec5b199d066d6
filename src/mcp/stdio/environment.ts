const inherited = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
} as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server: of ours only the variables that programs need to run at all, since
 * the rest may hold secrets, plus what the server's definition names.
 */
export function serverEnvironment(
  own: Variables,
  named: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const names: readonly string[] = isWindows ? inherited.win32 : inherited.posix;
  // Windows takes `Path` and `PATH` for one variable, and of two spellings the wrong one could win.
  const spelled = (name: string) => (isWindows ? name.toUpperCase() : name);
  const overridden = new Set(Object.keys(named).map(spelled));
  const kept = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      names.includes(spelled(entry[0])) &&
      !overridden.has(spelled(entry[0])) &&
      entry[1] !== undefined &&
      // An exported shell function is code.
      !entry[1].startsWith('()'),
  );
  return { ...Object.fromEntries(kept), ...named };
}
