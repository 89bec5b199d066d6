import { homedir } from 'node:os';
import { type EnteredText, enteredText, serversIn } from '../../../domain/adding/enteredText.ts';
import { type KnownServer, knownServers } from '../../../domain/adding/knownServers.ts';
import {
  type Drafted,
  type DraftTerms,
  draftOf,
  draftOfLine,
  draftOfUrl,
  type ServerDraft,
  shownLaunch,
} from '../../../domain/adding/serverDraft.ts';
import { freeName } from '../../../domain/adding/serverNames.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { printable } from '../../../domain/printable.ts';
import { isHumanError } from '../../../domain/sentence.ts';
import { readServerSettings } from '../../../domain/settings/serverSettings.ts';
import { type Shown, shown, shownLine, withIcon } from '../../../domain/shown.ts';
import { foldersOnDisk } from '../../folders/foldersOnDisk.ts';
import { loadClient } from '../../servers/loadClient.ts';
import { expectedStart } from '../../servers/serverTarget.ts';
import { localized, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import { asked, type Frame, type InputResult } from './questions.ts';
import { readJson } from './readPlaces.ts';

/** The server that a person entered or picked, or several in the form of a file. */
export type EnteredServer =
  | { readonly kind: 'one'; readonly draft: ServerDraft; readonly text: string }
  | { readonly kind: 'several'; readonly file: JsonObject };

/** The surroundings of a new server. */
export interface EntryTerms extends DraftTerms {
  readonly isTaken: (name: string) => boolean;
}

/** A line of the list below the field. */
interface EntryItem extends vscode.QuickPickItem {
  /** Left out: what stands in the field. */
  readonly known?: KnownServer;
}

/**
 * Asks for a command line, a URL, JSON, or one of the servers that are known by name. What is wrong with
 * that is said in the list; of a program that is not there it is said once, and then goes on.
 *
 * @param text what the field holds to begin with.
 */
export function enterServer(
  text: string,
  terms: EntryTerms,
  frame: Frame,
): Promise<InputResult<EnteredServer>> {
  const pick = vscode.window.createQuickPick<EntryItem>();
  pick.placeholder = t('Paste a command line, a URL or JSON, or pick a server');
  pick.matchOnDetail = true;
  pick.value = text;
  pick.items = itemsFor(text);
  let warned: string | undefined;
  return asked(pick, frame, (answer, store) => {
    store.add(
      pick.onDidChangeValue(value => {
        warned = undefined;
        pick.items = itemsFor(value);
      }),
    );
    store.add(
      pick.onDidAccept(async () => {
        const { value } = pick;
        const known = pick.selectedItems[0]?.known;
        const read = known ? readKnown(known, terms) : readText(value, terms);
        const subject = known?.name ?? value;
        const problem = typeof read === 'string' ? read : await warning(read);
        if (pick.value !== value) {
          return; // What was looked at is not what stands there now.
        }
        if (typeof read !== 'string' && (problem === undefined || warned === subject)) {
          answer({ kind: 'given', value: read });
        } else if (problem !== undefined) {
          warned = subject;
          pick.items = itemsFor(value, known, problem);
          pick.activeItems = pick.items.filter(item => item.known === known).slice(0, 1);
        }
      }),
    );
  });
}

/**
 * @param problem what is to be said of the server that was entered.
 * @param subject the known server that this is; left out: what stands in the field.
 */
function itemsFor(value: string, subject?: KnownServer, problem?: string): EntryItem[] {
  const hint = problem === undefined ? undefined : withIcon('warning', problem);
  const own: EntryItem = {
    label: entryLabel(enteredText(value)),
    description: shownLine(value),
    alwaysShow: true,
    ...(!subject && hint !== undefined && { detail: hint }),
  };
  const common = t('commonly used');
  return [
    ...(value.trim() === '' ? [] : [own]),
    { label: common, kind: vscode.QuickPickItemKind.Separator },
    ...knownServers.map(known => ({
      label: shown(known.name),
      description: shown(shownLaunch(known.entry)),
      detail: known === subject && hint ? hint : knownDetail(known),
      known,
    })),
  ];
}

function entryLabel({ kind }: EnteredText): Shown {
  switch (kind) {
    case 'line':
      return withIcon('terminal', t('Add This Command Line'));
    case 'url':
      return withIcon('globe', t('Add This URL'));
    case 'json':
      return withIcon('json', t('Add This JSON'));
  }
}

function knownDetail({ what, needs }: KnownServer): Shown {
  return shown([what, ...needs].map(text => t(text)).join(' '));
}

function readKnown(known: KnownServer, terms: EntryTerms): EnteredServer | string {
  return ofDraft(draftOf(known.name, known, terms), '', terms);
}

/** The server that the field's text describes, or what is wrong with it. */
function readText(text: string, terms: EntryTerms): EnteredServer | string {
  const entered = enteredText(text);
  switch (entered.kind) {
    case 'line':
      return ofDraft(draftOfLine(entered.line, terms), text, terms);
    case 'url':
      return ofDraft(draftOfUrl(entered.url, terms), text, terms);
    case 'json':
      return readServers(entered.json, text, terms);
  }
}

function readServers(json: string, text: string, terms: EntryTerms): EnteredServer | string {
  const read = readJson(json);
  if (!read.ok) {
    return localized(read.problem);
  }
  const found = serversIn(read.value);
  switch (found.kind) {
    case 'one':
      return ofDraft(draftOf(found.name, found.server, terms), text, terms);
    case 'several':
      return found;
    case 'none':
      return localized(found.problem);
  }
}

function ofDraft(drafted: Drafted, text: string, { isTaken }: EntryTerms): EnteredServer | string {
  if (!drafted.ok) {
    return localized(drafted.problem);
  }
  const { draft } = drafted;
  return { kind: 'one', draft: { ...draft, name: freeName(draft.name, isTaken) }, text };
}

/** A warning before the person goes on; `undefined`: none. */
async function warning(entered: EnteredServer): Promise<string | undefined> {
  return entered.kind === 'one' ? missingProgram(entered.draft) : undefined;
}

/**
 * Says that the program of a server is not there, if it is looked for as at its start and not found;
 * `undefined` when it is there, or that can't be told before the start.
 */
async function missingProgram({ name, entry }: ServerDraft): Promise<Shown | undefined> {
  const folders = foldersOnDisk();
  const around = { folders, userHome: homedir() };
  const [server] = readServerSettings({ [name]: entry }, around).servers;
  const paths = folders.map(({ path }) => path);
  try {
    const start = server && (await expectedStart(server.launch, paths));
    const { isProgramThere } = await loadClient();
    return !start || (await isProgramThere(start)) ? undefined : missingText(start.command);
  } catch (error) {
    if (isHumanError(error)) {
      return undefined; // Something else is missing, which is there when it starts, or is said then.
    }
    throw error;
  }
}

function missingText(command: string): Shown {
  const shown = printable(command);
  return /[\\/]/.test(command)
    ? t('There is no program {0}. Press Enter again to go on all the same.', shown)
    : t('"{0}" is not on the PATH. Press Enter again to go on all the same.', shown);
}
