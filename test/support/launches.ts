import type { HttpLaunch, Launch, StdioLaunch } from '../../src/domain/servers/launch.ts';
import { defaultTerms } from '../../src/domain/servers/serverDefinition.ts';
import {
  type IdentityFields,
  type IdentityTerms,
  launchFields,
  sealWith,
} from '../../src/domain/servers/serverIdentity.ts';

/** A launch as a process with only these fields. */
export function stdioLaunch(said: Partial<Omit<StdioLaunch, 'type'>> = {}): StdioLaunch {
  const nothing = { args: [], cwd: undefined, env: {}, envFile: undefined };
  return { type: 'stdio', command: 'files', ...nothing, ...said };
}

/** A server called at this URL. */
export function httpLaunch(url: string, headers: HttpLaunch['headers'] = {}): HttpLaunch {
  return { type: 'http', url, headers };
}

/** The identity's fields of a launch in the user's settings, in an installation with this key. */
export function fieldsOf(launch: Launch, terms: Partial<IdentityTerms> = {}): IdentityFields {
  const usual = {
    ...defaultTerms,
    origin: 'user',
    seal: sealWith('a key'),
    envFileSeal: undefined,
  };
  return launchFields(launch, { ...usual, ...terms });
}
