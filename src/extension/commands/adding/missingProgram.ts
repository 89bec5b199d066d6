import { homedir } from 'node:os';
import type { ServerDraft } from '../../../domain/adding/serverDraft.ts';
import { printable } from '../../../domain/printable.ts';
import { isHumanError } from '../../../domain/sentence.ts';
import { readServerSettings } from '../../../domain/settings/serverSettings.ts';
import type { Shown } from '../../../domain/shown.ts';
import { foldersOnDisk } from '../../folders/foldersOnDisk.ts';
import { loadClient } from '../../servers/loadClient.ts';
import { expectedStart } from '../../servers/serverTarget.ts';
import { t } from '../../text.ts';

/**
 * Says that the program of a server is not there, if it is looked for as at its start and not found;
 * `undefined` when it is there, or that can't be told before the start.
 */
export async function missingProgram({ name, entry }: ServerDraft): Promise<Shown | undefined> {
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
