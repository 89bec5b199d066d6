import { homedir } from 'node:os';
import { messageOf } from '../../base/messageOf.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import { expandTemplate, templateVariables } from '../../domain/uriTemplate.ts';
import type { Prompt, Resource, ResourceTemplateType } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type AnswerFile, fileNameOf, promptText, resourceText } from './answerTexts.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { withPatience } from './withPatience.ts';

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

/** Asks for the arguments of a prompt, and shows the messages that the server makes of them. */
export async function showPrompt(
  server: Server,
  { name, arguments: asked = [] }: Prompt,
  results: ResultDocuments,
): Promise<void> {
  const title = t('Arguments of {0}', printable(name));
  const given = await askForTexts(title, asked);
  const params = { name, arguments: given };
  const result =
    given &&
    (await askServer(
      signal => server.requests.request('prompts/get', params, { signal }),
      t('Reading {0}…', printable(name)),
      reason => new HumanError('{0} could not be read: {1}', printable(name), reason),
    ));
  if (result) {
    const { extension, text } = promptText(result);
    await results.open(name, extension, text);
  }
}

async function filledIn({ name, uriTemplate }: ResourceTemplateType): Promise<string | undefined> {
  const title = t('{0}: {1}', printable(name), printable(uriTemplate));
  const asked = templateVariables(uriTemplate).map(variable => ({ name: variable }));
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

/**
 * The texts that a person gives for the arguments of a prompt, or the variables of a template, one after
 * the other, by their names; one that is left empty is left out. `undefined` when the person leaves.
 */
async function askForTexts(
  title: Shown,
  asked: NonNullable<Prompt['arguments']>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const texts: Record<string, string> = {};
  for (const { name, description = '', required: isRequired = false } of asked) {
    const about = shownLine(description === '' ? name : `${name}: ${description}`);
    const text = await vscode.window.showInputBox({
      title,
      prompt: isRequired ? about : t('{0} (may be left out)', about),
      ignoreFocusOut: true,
      validateInput: text => (isRequired && text === '' ? t('It has to be given.') : undefined),
    });
    if (text === undefined) {
      return undefined;
    }
    if (text !== '') {
      texts[name] = text;
    }
  }
  return texts;
}

/**
 * A server's answer for a person who waits for it; `undefined` when that person cancels.
 *
 * @param failure makes a sentence of the server's own error, which is the user's to read.
 */
async function askServer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  title: Shown,
  failure: (reason: string) => HumanError,
): Promise<T | undefined> {
  const abort = new AbortController();
  try {
    return await withPatience(ask(abort.signal), title, () => abort.abort());
  } catch (error) {
    if (abort.signal.aborted) {
      return undefined;
    }
    if (isHumanError(error)) {
      throw error;
    }
    throw failure(printable(messageOf(error)));
  }
}
