import { launchTexts } from '../servers/launchTexts.ts';
import { withFolders } from '../settings/folderVariables.ts';
import { checkKeys, httpTypes, readTransport } from '../settings/keys.ts';
import { readLaunch } from '../settings/launchSettings.ts';
import type { Mistakes } from '../settings/mistakes.ts';
import { readRoutes } from '../settings/rootsRoutes.ts';
import { readProtocol } from '../settings/terms.ts';
import { checkCharacters, isJsonObject, type JsonObject, readSwitch } from '../settings/values.ts';
import { fingerprintOf } from './hubConfigFingerprint.ts';
import { globsFromRoot, readServerRules } from './hubConfigGuard.ts';
import { commonKeys, isLeftOut, withoutForeignKeys } from './hubConfigKeys.ts';
import { checkHubVariables } from './hubConfigVariables.ts';
import type { HubServer } from './hubServer.ts';

/**
 * The server of an entry, as far as it can be read: to be used only when no mistake was noted.
 * `undefined`: there is none, or it is switched off.
 */
export function readHubServer(
  name: string,
  entry: unknown,
  userHome: string,
  mistakes: Mistakes,
): HubServer | undefined {
  checkName(name, mistakes);
  if (!isJsonObject(entry)) {
    mistakes.add('must be an object with a "command" or a "url".');
    return undefined;
  }
  return isLeftOut(entry, mistakes)
    ? undefined
    : readEntry(name, withPlainType(withoutForeignKeys(entry, mistakes)), userHome, mistakes);
}

function checkName(name: string, mistakes: Mistakes): void {
  if (name.trim() === '') {
    mistakes.add('its name must not be empty.');
  } else if (name === '__proto__') {
    // Code that copies values by name would change the object it copies to.
    mistakes.add('a server cannot have this name.');
  }
}

function withPlainType(entry: JsonObject): JsonObject {
  return httpTypes.includes(entry['type']) ? { ...entry, type: 'http' } : entry;
}

function readEntry(
  name: string,
  entry: JsonObject,
  userHome: string,
  mistakes: Mistakes,
): HubServer {
  const transport = readTransport(entry, mistakes);
  checkKeys(entry, transport, mistakes, commonKeys);
  const written = readLaunch(entry, transport, mistakes, '${env:NAME}');
  checkCharacters(launchTexts(written), mistakes);
  checkHubVariables(written, mistakes);
  const routed = readRoutes(entry['rootsAs'], written, mistakes);
  // A hub has no folders of its own, so that nothing but the home is put in.
  const launch = withFolders(routed.launch, { folders: [], userHome }, mistakes);
  const connected = {
    launch,
    rootsAs: routed.rootsAs,
    protocol: readProtocol(entry['protocol'], mistakes),
  };
  return {
    name,
    ...connected,
    autoStart: readSwitch(entry['autoStart'], 'autoStart', mistakes) ?? false,
    guard: readServerRules(entry, mistakes),
    globsFromRoot: globsFromRoot(entry),
    fingerprint: fingerprintOf(connected),
  };
}
