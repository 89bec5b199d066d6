import {
  askedInput,
  canBeSandboxed,
  type Drafted,
  type DraftTerms,
  isCalled,
  isSandboxed,
  isValueName,
  lineOf,
  type ServerDraft,
  shownLaunch,
  valuesOf,
  withLine,
  withName,
  withSandbox,
  withUrl,
  withValue,
} from '../../domain/adding/serverDraft.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { sandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isSecretName } from '../../domain/secrets/secretNames.ts';
import { valueAsShown } from '../../domain/secrets/shownTexts.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import { readServerSettings } from '../../domain/settings/serverSettings.ts';
import { type Shown, shown, shownLine, withIcon } from '../../domain/shown.ts';
import { reachTexts } from '../consent/startQuestion.ts';
import { askOne, askText, type Frame, type InputResult, type PickOption } from '../quickInput.ts';
import { localized, noSandboxText, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { SettingsTarget, TargetItem } from './writeServers.ts';

/** A server's new definition, and the settings that get it. */
export interface Reviewed {
  readonly draft: ServerDraft;
  readonly target: SettingsTarget;
}

/** What a review needs to know about this window and the server's settings. */
export interface ReviewTerms extends DraftTerms {
  /** The server's present entry in the settings; left out: the server is new. */
  readonly before?: JsonObject;
  readonly isTaken: (name: string) => boolean;
  /** Why no sandbox can confine a server on this machine; `undefined` if a sandbox can. */
  readonly noSandbox: Sentence | undefined;
  /** The settings to choose from. If there is only one choice, the user is not asked. */
  readonly targets: readonly TargetItem[];
}

/** What a line of the list changes or does. */
type Wish = 'accept' | 'name' | 'launch' | 'values' | 'sandbox' | 'target' | 'definition';

/**
 * Shows in one list what will be written. The user can change each part until they accept, go back
 * or leave. `definition`: the user wants to see the server in the settings file instead.
 */
export async function reviewServer(
  start: Reviewed,
  terms: ReviewTerms,
  frame: Frame,
): Promise<InputResult<Reviewed | 'definition'>> {
  let reviewed = start;
  for (;;) {
    const answer = await askOne(placeholder(terms), lines(reviewed, terms), frame);
    if (answer.kind !== 'given') {
      return answer;
    }
    if (answer.value === 'accept') {
      return { kind: 'given', value: reviewed };
    }
    if (answer.value === 'definition') {
      return { kind: 'given', value: 'definition' };
    }
    // If the user leaves the question about a part, the draft stays unchanged.
    const detour = { title: frame.title, hasBack: true };
    reviewed = await changed(answer.value, reviewed, terms, detour);
  }
}

function placeholder({ before }: ReviewTerms): Shown {
  return before
    ? t('Pick a line to change, or save')
    : t('Pick a line to change, or add the server unchanged');
}

function lines(reviewed: Reviewed, terms: ReviewTerms): PickOption<Wish>[] {
  const { draft, target } = reviewed;
  const accept = terms.before ? t('Save') : t('Add');
  const { targets } = terms;
  return [
    { label: withIcon('check', accept), value: 'accept' },
    { label: shown(''), kind: vscode.QuickPickItemKind.Separator },
    ...(terms.before ? [] : [nameLine(draft)]),
    launchLine(draft, terms),
    {
      label: isCalled(draft) ? t('Headers') : t('Environment Variables'),
      description: valuesText(draft),
      value: 'values',
    },
    ...(hasSandbox(draft, terms) ? [sandboxLine(draft, terms)] : []),
    ...(targets.length > 1 ? [targetLine(target, targets)] : []),
    ...(terms.before ? [definitionLine()] : []),
    ...notesOn(draft, terms).map(text => ({ label: withIcon('info', text) })),
  ];
}

function nameLine({ name }: ServerDraft): PickOption<Wish> {
  return { label: t('Name'), description: shownLine(name), value: 'name' };
}

/** The command line or URL. If no field can hold it, a pick opens an existing server's settings. */
function launchLine(draft: ServerDraft, { isWindows, before }: ReviewTerms): PickOption<Wish> {
  const description = shown(shownLaunch(draft.entry, isWindows));
  if (isCalled(draft)) {
    return { label: t('URL'), description, value: 'launch' };
  }
  const label = t('Command Line');
  if (lineOf(draft, isWindows) !== undefined) {
    return { label, description, value: 'launch' };
  }
  return before ? { label, description, value: 'definition' } : { label, description };
}

function valuesText(draft: ServerDraft): Shown {
  const texts = valuesOf(draft).map(([name, text]) => valueText(draft, name, text));
  return texts.length > 0 ? shown(texts.join(', ')) : t('none');
}

function valueText(draft: ServerDraft, name: string, text: string): string {
  const shown = printable(name);
  const input = askedInput(draft, name);
  if (input === undefined) {
    return `${shown}=${printable(valueAsShown(name, text))}`;
  }
  return draft.kept.some(({ inputId }) => inputId === input)
    ? t('{0} (kept in the secret storage)', shown)
    : t('{0} (you are asked for the value)', shown);
}

/** Whether the draft is not remote, and this machine has a sandbox or the draft asks for one. */
function hasSandbox(draft: ServerDraft, { noSandbox }: ReviewTerms): boolean {
  return canBeSandboxed(draft) && (!noSandbox || isSandboxed(draft) === true);
}

function sandboxLine(draft: ServerDraft, terms: DraftTerms): PickOption<Wish> {
  return { label: t('Sandbox'), description: sandboxText(draft, terms), value: 'sandbox' };
}

/** Whether a sandbox confines a server to its folders, and what else the server can then reach. */
export function sandboxText(
  { name, entry }: Pick<ServerDraft, 'name' | 'entry'>,
  { around }: Pick<DraftTerms, 'around'>,
): Shown {
  const { sandboxes } = readServerSettings({ [name]: entry }, around);
  const sandbox = sandboxTerms(sandboxes.get(userServerId(name)));
  const texts = {
    none: t('none: the server runs with your rights'),
    kept: t('kept in its folders'),
    alone: t('kept in its folders: the server sees no other files of yours'),
  };
  const reach = sandbox ? reachTexts(sandbox, []) : [];
  return reach.length > 0
    ? shown([texts.kept, ...reach].join(' · '))
    : texts[sandbox ? 'alone' : 'none'];
}

function targetLine(target: SettingsTarget, targets: readonly TargetItem[]): PickOption<Wish> {
  const description = targets.find(({ value }) => value === target)?.label;
  return { label: t('Settings'), description, value: 'target' };
}

function definitionLine(): PickOption<Wish> {
  return {
    label: withIcon('json', t('Open Definition')),
    description: t('in the settings'),
    value: 'definition',
  };
}

/** Notes to read before the server is written. */
function notesOn(draft: ServerDraft, { noSandbox }: ReviewTerms): string[] {
  return [
    ...draft.notes.map(localized),
    ...(noSandbox && canBeSandboxed(draft) ? [noSandboxText(noSandbox)] : []),
  ];
}

/** Changes one part: switches between its two values, or asks the user for a new value. */
async function changed(
  wish: Exclude<Wish, 'accept' | 'definition'>,
  { draft, target }: Reviewed,
  terms: ReviewTerms,
  frame: Frame,
): Promise<Reviewed> {
  switch (wish) {
    case 'target':
      return { draft, target: target === 'user' ? 'workspace' : 'user' };
    case 'sandbox':
      return { draft: withSandbox(draft, !isSandboxed(draft), terms.before), target };
    case 'name':
      return { draft: (await askName(draft, terms, frame)) ?? draft, target };
    case 'launch':
      return { draft: (await askLaunch(draft, terms, frame)) ?? draft, target };
    case 'values':
      return { draft: (await askVariable(draft, terms, frame)) ?? draft, target };
  }
}

/** Asks for another name; `undefined`: the name stays. */
export async function askName(
  draft: ServerDraft,
  terms: Pick<ReviewTerms, 'isTaken'> & DraftTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  const own = draft.name;
  return askForDraft(
    { prompt: t('A name for the server.'), value: own },
    text => {
      const name = text.trim();
      if (name === '' || name === '__proto__') {
        return t('Enter a name.');
      }
      return name !== own && terms.isTaken(name)
        ? t('A server with this name exists already.')
        : withName(draft, name, terms);
    },
    frame,
  );
}

async function askLaunch(
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  if (isCalled(draft)) {
    const question = { prompt: t('The URL of the server.'), value: String(draft.entry['url']) };
    return askForDraft(question, url => withUrl(draft, url, terms), frame);
  }
  const prompt = t('The whole command line. Quotes keep words together, as in a shell.');
  const value = lineOf(draft, terms.isWindows) ?? '';
  return askForDraft({ prompt, value }, line => withLine(draft, line, terms), frame);
}

/** Asks for a text until the text makes a valid draft. `undefined`: the user went back or left. */
async function askForDraft(
  question: { readonly prompt: Shown; readonly value: string; readonly isSecret?: boolean },
  read: (text: string) => Drafted | Shown,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  let draft: ServerDraft | undefined;
  const problem = (text: string) => {
    const found = read(text);
    if (typeof found === 'string') {
      return found;
    }
    draft = found.ok ? found.draft : undefined;
    return found.ok ? undefined : localized(found.problem);
  };
  const answer = await askText({ ...question, problem }, frame);
  return answer.kind === 'given' ? draft : undefined;
}

/** Asks for one environment variable or header. If it is new, the first question is its name. */
async function askVariable(
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  const [question, add] = isCalled(draft)
    ? [t('The headers of every request'), t('Add Header…')]
    : [t('The environment variables of the server'), t('Add Environment Variable…')];
  const lines = [
    { label: withIcon('add', add), value: '' },
    ...valuesOf(draft).map(([name, text]) => ({
      label: withIcon('edit', valueText(draft, name, text)),
      value: name,
    })),
  ];
  const picked = await askOne(question, lines, frame);
  if (picked.kind !== 'given') {
    return undefined;
  }
  const name = picked.value === '' ? await askValueName(draft, terms, frame) : picked.value;
  return name === undefined ? undefined : askValue(name, draft, terms, frame);
}

async function askValueName(
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<string | undefined> {
  const question = {
    prompt: isCalled(draft)
      ? t('The name of the header.')
      : t('The name of the environment variable.'),
    placeholder: shown(isCalled(draft) ? 'Authorization' : 'API_KEY'),
    value: '',
    problem: (text: string) => {
      const name = text.trim();
      if (!isValueName(draft, name)) {
        return isCalled(draft)
          ? t('"{0}" is not a header name: use letters, digits and hyphens.', printable(name))
          : t('"{0}" is not a variable name.', printable(name));
      }
      const read = withValue(draft, name, 'value', terms);
      return read.ok ? undefined : localized(read.problem);
    },
  };
  const answer = await askText(question, frame);
  return answer.kind === 'given' ? answer.value.trim() : undefined;
}

function askValue(
  name: string,
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  const isSecret = isSecretName(name);
  const known = valuesOf(draft).find(([other]) => other === name)?.[1] ?? '';
  const prompt = isSecret
    ? t(
        'The value of {0}. It is kept in the secret storage, not in the settings. If you leave the field empty, you are asked at the first start.',
        printable(name),
      )
    : t('The value of {0}, for the settings. Leave the field empty for no value.', printable(name));
  const question = { prompt, value: isSecret ? '' : known, isSecret };
  return askForDraft(question, value => withValue(draft, name, value, terms), frame);
}
