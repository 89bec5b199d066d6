import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { within } from '../../base/timeLimit.ts';
import { readHubConfig } from '../../domain/hubConfig/hubConfig.ts';
import type { KeyPath } from '../../domain/json.ts';
import { plainSecrets } from '../../domain/secrets/plainSecrets.ts';
import type { Launch } from '../../domain/servers/launch.ts';
import { userServerName } from '../../domain/servers/serverDefinition.ts';
import type { Shown } from '../../domain/shown.ts';
import { Setting } from '../ids.ts';
import { serversIn } from '../settings.ts';
import { localized, t } from '../text.ts';
import { type DefinitionText, settingsAt, underOf } from './definitionText.ts';

/** Something that a person should know of a place in a text. */
export interface Finding {
  readonly path: KeyPath;
  readonly text: Shown;
  /** `mistake`: nobody can go by what is written there. */
  readonly kind: 'mistake' | 'missing' | 'secret';
}

/** The mistakes in a text, and the secrets that stand in it. */
export function findingsIn(text: DefinitionText): readonly Finding[] {
  return [
    ...text.mistakes.map(({ path, said }): Finding => {
      return { path, text: localized(said), kind: 'mistake' };
    }),
    ...text.servers.flatMap(({ path, entry }) =>
      plainSecrets(entry).map((place): Finding => {
        return { path: [...path, ...place], text: secretText(text), kind: 'secret' };
      }),
    ),
  ];
}

function secretText({ kind }: DefinitionText): Shown {
  switch (kind.kind) {
    case 'settings':
      return t('A secret in plain text. An input is kept in the secret storage instead.');
    case 'hub':
      return t(
        'A secret in plain text. Write {0}, and set that where the hub is started.',
        '${env:NAME}',
      );
    case 'client':
      return t(
        'A secret in plain text. MCP Roots keeps those of its servers in the secret storage.',
      );
  }
}

/** How long a disk may take to say whether a file is there, in milliseconds. */
const patience = 2000;

/** Files that a text names and the disk does not have; none while the disk does not answer. */
export async function missingFiles(text: DefinitionText): Promise<readonly Finding[]> {
  const found = await Promise.all(
    launchesIn(text).flatMap(({ path, launch }) =>
      namedPaths(launch).map(async (named): Promise<Finding[]> => {
        const place = { path: [...path, named.key], kind: 'missing' } as const;
        const isThere = await within(isOnDisk(named.path), patience, true);
        return isThere ? [] : [{ ...place, text: missingText(named.key) }];
      }),
    ),
  );
  return found.flat();
}

/** How the servers that have no mistake are started, each with its place. */
function launchesIn({ kind, value, servers }: DefinitionText) {
  switch (kind.kind) {
    case 'settings': {
      const under = underOf(kind);
      return serversIn(settingsAt(value, under)).servers.map(({ id, launch }) => {
        return { path: [...under, Setting.servers, userServerName(id) ?? ''], launch };
      });
    }
    case 'hub':
      return readHubConfig(value, homedir()).servers.flatMap(({ name, launch }) =>
        servers.filter(one => one.name === name).map(({ path }) => ({ path, launch })),
      );
    case 'client':
      return [];
  }
}

type NamingKey = 'command' | 'cwd' | 'envFile';

function namedPaths(launch: Launch): readonly { readonly key: NamingKey; readonly path: string }[] {
  if (launch.type === 'http') {
    return [];
  }
  // On Windows the name of a program may go on.
  const keys: readonly NamingKey[] =
    process.platform === 'win32' ? ['cwd', 'envFile'] : ['command', 'cwd', 'envFile'];
  return keys.flatMap(key => {
    const path = launch[key];
    return path !== undefined && isAbsolute(path) && !path.includes('${') ? [{ key, path }] : [];
  });
}

async function isOnDisk(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

function missingText(key: NamingKey): Shown {
  return key === 'cwd' ? t('There is no such folder.') : t('There is no such file.');
}
