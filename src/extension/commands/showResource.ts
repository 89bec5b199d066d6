import { homedir } from 'node:os';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Shown } from '../../domain/shown.ts';
import { expandTemplate, templateVariables } from '../../domain/uriTemplate.ts';
import type { Resource, ResourceTemplateType } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type AnswerFile, fileNameOf, resourceText } from './answerTexts.ts';
import { askForTexts } from './askForTexts.ts';
import { askServer } from './askServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';

/**
 * Reads a resource, whose template the user fills in if it has one. What is text is shown as it is;
 * anything else the user may save, and it is opened then.
 */
export async function showResource(
  server: Server,
  resource: Pick<Resource, 'uri'> | ResourceTemplateType,
  results: ResultDocuments,
): Promise<void> {
  const uri = 'uri' in resource ? resource.uri : await filledIn(resource);
  const read =
    uri &&
    (await askServer(
      signal => server.requests.request('resources/read', { uri }, { signal }),
      t('Reading {0}…', printable(uri)),
      reason => new HumanError('{0} could not be read: {1}', printable(uri), reason),
    ));
  if (!read) {
    return;
  }
  if (read.contents.length === 0) {
    throw new HumanError('{0} is empty.', printable(uri));
  }
  for (const content of read.contents) {
    const shown = resourceText(content);
    if (shown) {
      await results.open(fileNameOf(content).replace(/\.[^.]*$/, ''), shown.extension, shown.text);
    } else if (!('blob' in content) || !(await saveAndOpen(content))) {
      return;
    }
  }
}

async function filledIn({ name, uriTemplate }: ResourceTemplateType): Promise<string | undefined> {
  const title = t('{0}: {1}', printable(name), printable(uriTemplate));
  const asked = templateVariables(uriTemplate).map(variable => {
    return { name: variable, description: '', isRequired: false };
  });
  const values = await askForTexts(title, asked);
  return values && expandTemplate(uriTemplate, values);
}

/** `false` when the user leaves. */
async function saveAndOpen(content: { readonly uri: string; readonly blob: string }) {
  const name = fileNameOf(content);
  const title = t('{0} is not text. Choose where to save it.', printable(name));
  const saved = await saveAs({ name, bytes: Buffer.from(content.blob, 'base64') }, title);
  if (saved) {
    await vscode.commands.executeCommand('vscode.open', saved);
  }
  return saved !== undefined;
}

/** Has the user say where a file goes, and writes it; `undefined` when the user leaves. */
export async function saveAs(
  { name, bytes }: AnswerFile,
  title: Shown,
): Promise<vscode.Uri | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const defaultUri = vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file(homedir()), name);
  const target = await vscode.window.showSaveDialog({ title, defaultUri });
  if (target) {
    await vscode.workspace.fs.writeFile(target, bytes);
  }
  return target;
}
