import { isPlainAddress, proxyVariables } from '../../../domain/servers/proxies.ts';

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

/** The variables for this machine's certificates and proxies. Programs read lower case, too. */
const ofNetwork: readonly string[] = [
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  'NO_PROXY',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  ...proxyVariables,
];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server: the variables that its definition names, and the variables of ours
 * that programs need to run and to reach the network. The rest of ours may hold secrets.
 */
export function serverEnvironment(
  own: Variables,
  named: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const kept = inheritable(own, named, platform).filter(entry => !isWithheld(entry));
  return { ...Object.fromEntries(kept), ...named };
}

/**
 * Our variables that a server does not get, because their proxy has a password. A name in upper and
 * in lower case is one variable. The server gets such a variable only if its definition names it.
 */
export function withheldProxies(
  own: Variables,
  named: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): readonly string[] {
  const withheld = inheritable(own, named, platform).filter(isWithheld);
  return [...new Map(withheld.map(([name]) => [name.toUpperCase(), name])).values()];
}

function isWithheld([name, value]: readonly [string, string]): boolean {
  const isOfProxy = proxyVariables.some(one => one === name.toUpperCase());
  return isOfProxy && !isPlainAddress(value);
}

/** Our variables that a server may get, without the variables that its definition names. */
function inheritable(
  own: Variables,
  named: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): readonly (readonly [string, string])[] {
  const isWindows = platform === 'win32';
  const names: readonly string[] = isWindows ? inherited.win32 : inherited.posix;
  const spelled = (name: string) => {
    const upper = name.toUpperCase();
    // On Windows, `Path` and `PATH` are one variable. Everywhere, programs take `https_proxy` and
    // `HTTPS_PROXY` for one. If both spellings were there, the wrong one could win.
    return isWindows || ofNetwork.includes(upper) ? upper : name;
  };
  const overridden = new Set(Object.keys(named).map(spelled));
  return Object.entries(own).filter(
    (entry): entry is [string, string] =>
      (names.includes(spelled(entry[0])) || ofNetwork.includes(spelled(entry[0]))) &&
      !overridden.has(spelled(entry[0])) &&
      entry[1] !== undefined &&
      // Leaves out exported shell functions, because they are code.
      !entry[1].startsWith('()'),
  );
}
