import { homedir } from 'node:os';
import { enteredText, isLikeAddress, serversIn } from '../../domain/adding/enteredText.ts';
import {
  type Drafted,
  type DraftTerms,
  draftOf,
  draftOfLine,
  draftOfUrl,
  freeName,
  type ServerDraft,
} from '../../domain/adding/serverDraft.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import { readServerSettings } from '../../domain/settings/serverSettings.ts';
import type { Shown } from '../../domain/shown.ts';
import { foldersOnDisk } from '../foldersOnDisk.ts';
import { askText, type Frame, type InputResult } from '../quickInput.ts';
import { loadClient } from '../servers/loadClient.ts';
import { expectedStart } from '../servers/serverTarget.ts';
import { localized, t } from '../text.ts';
import { readJson } from './readJson.ts';

/** One server that a person entered, or several servers in the form of a file. */
export type EnteredServer =
  | { readonly kind: 'one'; readonly draft: ServerDraft; readonly text: string }
  | { readonly kind: 'several'; readonly file: JsonObject };

/** What reading an entered server needs to know about this window. */
export interface EntryTerms extends DraftTerms {
  readonly isTaken: (name: string) => boolean;
}

/**
 * Asks for a command line, a URL or JSON. The field shows a mistake below the text. If the program
 * is missing, the field says so once, and the user can then go on.
 */
export async function enterServer(
  text: string,
  terms: EntryTerms,
  frame: Frame,
): Promise<InputResult<EnteredServer>> {
  let entered: EnteredServer | undefined;
  let warned: string | undefined;
  const problem = async (value: string) => {
    const read = readText(value, terms);
    if (typeof read === 'string') {
      return read;
    }
    const warning = await missingProgram(read);
    if (warning !== undefined && warned !== value) {
      warned = value;
      return warning;
    }
    entered = read;
    return undefined;
  };
  const prompt = t('A command line, a URL, or the JSON of an mcp.json.');
  const placeholder = t('For example: {0} or {1}', 'npx -y some-server', 'https://example.com/mcp');
  const answer = await askText({ prompt, placeholder, value: text, problem }, frame);
  return answer.kind === 'given' && entered ? { kind: 'given', value: entered } : { kind: 'left' };
}

/** The server that the field's text describes, or what is wrong with the text. */
function readText(text: string, terms: EntryTerms): EnteredServer | Shown {
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

function readServers(json: string, text: string, terms: EntryTerms): EnteredServer | Shown {
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

function ofDraft(drafted: Drafted, text: string, { isTaken }: EntryTerms): EnteredServer | Shown {
  if (!drafted.ok) {
    return localized(drafted.problem);
  }
  const { draft } = drafted;
  return { kind: 'one', draft: { ...draft, name: freeName(draft.name, isTaken) }, text };
}

/**
 * Says that a server's program is missing, after the same check as in a start. `undefined` when the
 * program exists, or when only the start can tell.
 */
async function missingProgram(entered: EnteredServer): Promise<Shown | undefined> {
  if (entered.kind === 'several') {
    return undefined;
  }
  const { name, entry } = entered.draft;
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
      return undefined; // Something else is missing. The start finds or reports it.
    }
    throw error;
  }
}

function missingText(command: string): Shown {
  const shown = printable(command);
  if (isLikeAddress(command)) {
    return t(
      'The program {0} was not found. A URL begins with http:// or https://. Press Enter again to go on anyway.',
      shown,
    );
  }
  return /[\\/]/.test(command)
    ? t('The program {0} was not found. Press Enter again to go on anyway.', shown)
    : t('"{0}" is not on the PATH. Press Enter again to go on anyway.', shown);
}
