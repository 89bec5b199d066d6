import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import { cutMiddle, printable } from '../../domain/printable.ts';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { Confirmation, Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { shortLabel } from '../shownNames.ts';
import { t } from '../text.ts';
import { holdsHome } from './startQuestion.ts';

/** By the URI of a confirmed folder: the paths of `mcpRoots.neverExpose` within the folder. */
export type Confirmed = ReadonlyMap<string, readonly string[]>;

/**
 * Asks again about each allowed folder that is very wide or contains a path of
 * `mcpRoots.neverExpose`, except visible ones. Returns the allowed folders that were not refused.
 */
export async function confirmSecondYes(
  server: Server,
  allowed: ReadonlySet<string>,
  screen: Screen,
): Promise<Confirmed> {
  const confirmed = new Map<string, readonly string[]>();
  const { access, definition } = server;
  for (const { folder, root, notes } of access.folders.filter(one => allowed.has(one.folder.uri))) {
    const risk = riskOf(notes);
    const place = folder.path ?? folder.uri;
    const isRisk = risk.isWide || risk.within.length > 0;
    if (!isRisk || root || (await screen.confirm(...questionOn(definition, place, risk)))) {
      confirmed.set(folder.uri, risk.within);
    }
  }
  return confirmed;
}

/**
 * Asks again before a start, if the sandbox shows the server the whole home. Returns true without a
 * question if the sandbox shows less, or if the user already agreed to the start.
 */
export async function confirmSandbox(server: Server, screen: Screen): Promise<boolean> {
  const { read = [], write = [] } = server.definition.sandbox ?? {};
  return server.isLaunchAllowed || confirmReach(server.definition, [...write, ...read], screen);
}

/** Asks whether a sandbox may show the first path that contains the home. True if there is none. */
export async function confirmReach(
  definition: ServerDefinition,
  paths: readonly string[],
  screen: Screen,
): Promise<boolean> {
  const home = await realPath(homedir());
  for (const path of paths) {
    // The sandbox shows the target of a link, so `realPath` resolves links in both paths.
    if (holdsHome(path) || isAtOrBelow(home, await realPath(path))) {
      return screen.confirm(...questionOn(definition, path, { isWide: true, within: [] }));
    }
  }
  return true;
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

const longest = 90;
const most = 6;

/** Why the user must say yes twice. */
interface Risk {
  readonly isWide: boolean;
  /** The paths of `mcpRoots.neverExpose` within the folder. */
  readonly within: readonly string[];
}

function riskOf(notes: FolderAccess['notes']): Risk {
  return {
    isWide: notes.some(({ kind }) => kind === 'wide'),
    within: notes.flatMap(note => (note.kind === 'holds-forbidden' ? note.paths : [])),
  };
}

function questionOn(definition: ServerDefinition, path: string, risk: Risk): Confirmation {
  const place = cutMiddle(printable(path), longest);
  const text = textOn(risk, place, shortLabel(definition));
  return [text, detailOn(risk), t('Share Anyway')];
}

function textOn({ isWide, within }: Risk, place: string, label: string): Shown {
  if (within.length === 0) {
    return t('"{0}" is very wide. Share it with "{1}" anyway?', place, label);
  }
  return isWide
    ? t(
        '"{0}" is very wide, and contains folders on your never-expose list. Share it with "{1}" anyway?',
        place,
        label,
      )
    : t(
        '"{0}" contains folders on your never-expose list. Share it with "{1}" anyway?',
        place,
        label,
      );
}

function detailOn({ isWide, within }: Risk): Shown {
  const wide = t('The server may then use everything in this folder.');
  const holding = t('The server could read everything in these folders:');
  return shown(
    [
      ...(isWide ? [wide] : []),
      ...(within.length > 0 ? [holding, ...within.slice(0, most).map(lineOf)] : []),
      ...(within.length > most ? [t('• and {0} more', within.length - most)] : []),
    ].join('\n'),
  );
}

function lineOf(path: string): string {
  return `• ${cutMiddle(printable(path), longest)}`;
}
