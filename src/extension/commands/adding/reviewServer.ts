import { knownServerOf } from '../../../domain/adding/knownServers.ts';
import {
  askedInput,
  canBeSandboxed,
  type Drafted,
  type DraftTerms,
  isCalled,
  isSandboxed,
  lineOf,
  namesRoots,
  routesOf,
  type ServerDraft,
  shownLaunch,
  valuesOf,
  withLine,
  withName,
  withoutValue,
  withRoutes,
  withSandbox,
  withUrl,
  withValue,
} from '../../../domain/adding/serverDraft.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { printable } from '../../../domain/printable.ts';
import { isSecretName } from '../../../domain/secrets/secretNames.ts';
import { valueAsShown } from '../../../domain/secrets/shownTexts.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import type { RootsRoute } from '../../../domain/servers/serverDefinition.ts';
import { type Shown, shown, shownLine, withIcon } from '../../../domain/shown.ts';
import { localized, noSandboxText, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import { missingProgram } from './missingProgram.ts';
import { type Answer, askOne, askText, type Frame, type Option } from './questions.ts';
import type { SettingsTarget, TargetItem } from './writeServers.ts';

/** A server as it is to be written, and where. */
export interface Reviewed {
  readonly draft: ServerDraft;
  readonly target: SettingsTarget;
}

/** The surroundings of a server that is looked over. */
export interface ReviewTerms extends DraftTerms {
  /** The entry in the settings that is changed; left out: it is a new server. */
  readonly before?: JsonObject;
  readonly isTaken: (name: string) => boolean;
  /** Why nothing can be kept in a sandbox here. */
  readonly noSandbox: Sentence | undefined;
  /** The settings that it can go to; one at most: that is not asked. */
  readonly targets: readonly TargetItem[];
}

/** What a line of the list leads to. */
type Wish =
  | 'accept'
  | 'name'
  | 'launch'
  | 'values'
  | 'routes'
  | 'sandbox'
  | 'target'
  | 'definition';

/**
 * Shows in one list what is to be written, each part to be changed, until the user accepts it, goes back
 * or leaves. `definition`: the user would rather see it in the settings themselves.
 */
export async function reviewServer(
  start: Reviewed,
  terms: ReviewTerms,
  frame: Frame,
): Promise<Answer<Reviewed | 'definition'>> {
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
    // What was entered so far stays, however the question about a part of it ends.
    const detour = { title: frame.title, hasBack: true };
    reviewed = (await changed(answer.value, reviewed, terms, detour)) ?? reviewed;
  }
}

function placeholder({ before }: ReviewTerms): Shown {
  return before
    ? t('Pick what to change, and save')
    : t('This is added. Pick what to change before');
}

function lines(reviewed: Reviewed, terms: ReviewTerms): Option<Wish>[] {
  const { draft, target } = reviewed;
  const accept = terms.before ? t('Save') : t('Add');
  const { targets } = terms;
  return [
    { label: withIcon('check', accept), value: 'accept' },
    { label: shown(''), kind: vscode.QuickPickItemKind.Separator },
    { label: t('Name'), description: shownLine(draft.name), value: 'name' },
    launchLine(draft, terms),
    {
      label: isCalled(draft) ? t('Headers') : t('Environment Variables'),
      description: valuesText(draft),
      value: 'values',
    },
    ...(hasRoutes(draft, terms) ? [routesLine(draft)] : []),
    ...(hasSandbox(draft, terms) ? [sandboxLine(draft)] : []),
    ...(targets.length > 1 ? [targetLine(target, targets)] : []),
    ...(terms.before ? [definitionLine()] : []),
    ...notesOn(draft, terms).map(text => ({ label: withIcon('info', text) })),
  ];
}

/** A command line that no field can hold is changed in the settings. */
function launchLine(draft: ServerDraft, { isWindows, before }: ReviewTerms): Option<Wish> {
  const description = shown(shownLaunch(draft.entry));
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
    : t('{0} (you are asked for it)', shown);
}

/** Whether there is a choice: a server called over HTTP asks for its roots. */
function hasRoutes(draft: ServerDraft, terms: ReviewTerms): boolean {
  return !isCalled(draft) && !namesRoots(draft, terms);
}

function routesLine(draft: ServerDraft): Option<Wish> {
  const routes = routesOf(draft) ?? ['roots'];
  const option = routeOptions().find(({ value }) => `${value}` === `${routes}`);
  const description = option?.label ?? shown(routes.join(', '));
  return { label: t('Folders'), description, value: 'routes' };
}

/** Whether there is a choice: what runs elsewhere can't be kept, and neither can anything here perhaps. */
function hasSandbox(draft: ServerDraft, { noSandbox }: ReviewTerms): boolean {
  return canBeSandboxed(draft) && (!noSandbox || isSandboxed(draft) === true);
}

function sandboxLine(draft: ServerDraft): Option<Wish> {
  const [on, off] = sandboxOptions();
  return {
    label: t('Sandbox'),
    description: (isSandboxed(draft) ? on : off)?.label,
    value: 'sandbox',
  };
}

function targetLine(target: SettingsTarget, targets: readonly TargetItem[]): Option<Wish> {
  const description = targets.find(({ value }) => value === target)?.label;
  return { label: t('Settings'), description, value: 'target' };
}

function definitionLine(): Option<Wish> {
  return {
    label: withIcon('json', t('Open Definition')),
    description: t('in the settings'),
    value: 'definition',
  };
}

/** What is to be known of it before it is written. */
function notesOn(draft: ServerDraft, { before, noSandbox }: ReviewTerms): string[] {
  const needs = before ? [] : (knownServerOf(draft.entry)?.needs ?? []);
  return [
    ...needs.map(text => t(text)),
    ...draft.notes.map(localized),
    ...(noSandbox && canBeSandboxed(draft) ? [noSandboxText(noSandbox)] : []),
  ];
}

/** Asks for one part anew; `undefined`: it stays as it is. */
async function changed(
  wish: Exclude<Wish, 'accept' | 'definition'>,
  { draft, target }: Reviewed,
  terms: ReviewTerms,
  frame: Frame,
): Promise<Reviewed | undefined> {
  if (wish === 'target') {
    const answer = await askOne(whereText(), terms.targets, frame);
    return answer.kind === 'given' ? { draft, target: answer.value } : undefined;
  }
  const next = await changedDraft(wish, draft, terms, frame);
  return next && { draft: next, target };
}

async function changedDraft(
  wish: 'name' | 'launch' | 'values' | 'routes' | 'sandbox',
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  switch (wish) {
    case 'name':
      return askName(draft, terms, frame);
    case 'launch':
      return isCalled(draft) ? askUrl(draft, terms, frame) : askLine(draft, terms, frame);
    case 'values':
      return askValues(draft, terms, frame);
    case 'routes': {
      const question = t('How does the server learn of the folders it may see?');
      const answer = await askOne(question, routeOptions(), frame);
      return answer.kind === 'given' ? withRoutes(draft, routesValue(answer.value)) : undefined;
    }
    case 'sandbox': {
      const question = t('Is the system to keep the server in the folders it may see?');
      const answer = await askOne(question, sandboxOptions(), frame);
      const isOn = answer.kind === 'given' && answer.value;
      return answer.kind === 'given' ? withSandbox(draft, isOn, terms.before) : undefined;
    }
  }
}

function whereText(): Shown {
  return t('Where is the server to be?');
}

/** Asks for another name; `undefined`: it stays as it is. */
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
        ? t('There is a server of this name already.')
        : withName(draft, name, terms);
    },
    frame,
  );
}

async function askUrl(
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  const prompt = t('The URL of the server.');
  const value = String(draft.entry['url'] ?? '');
  return askForDraft({ prompt, value }, url => withUrl(draft, url, terms), frame);
}

/** Asks for the command line, and says it once when its program is not there. */
async function askLine(
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  const prompt = t('The whole command line. Quotes hold words together, as in a shell.');
  const value = lineOf(draft, terms.isWindows) ?? '';
  let warned: string | undefined;
  const check = async (line: string) => {
    const read = line === value ? ({ ok: true, draft } as const) : withLine(draft, line, terms);
    const missing = read.ok && warned !== line ? await missingProgram(read.draft) : undefined;
    warned = line;
    return missing ?? read;
  };
  return askForDraft({ prompt, value }, check, frame);
}

/** Asks for a text until a draft can be made of it. */
async function askForDraft(
  question: { readonly prompt: Shown; readonly value: string; readonly isSecret?: boolean },
  read: (text: string) => Drafted | Shown | Promise<Drafted | Shown>,
  frame: Frame,
): Promise<ServerDraft | undefined> {
  let draft: ServerDraft | undefined;
  const problem = async (text: string) => {
    const found = await read(text);
    if (typeof found === 'string') {
      return found;
    }
    draft = found.ok ? found.draft : undefined;
    return found.ok ? undefined : localized(found.problem);
  };
  const answer = await askText({ ...question, problem }, frame);
  return answer.kind === 'given' ? draft : undefined;
}

type ValueWish =
  | { readonly kind: 'done' | 'add' }
  | { readonly kind: 'change' | 'remove'; readonly name: string };

/** Collects environment variables or headers until the user goes back to the list. */
async function askValues(
  start: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft> {
  let draft = start;
  const question = isCalled(draft)
    ? t('The headers of every request')
    : t('The environment variables of the server');
  for (;;) {
    const answer = await askOne(question, valueLines(draft), frame);
    if (answer.kind !== 'given' || answer.value.kind === 'done') {
      return draft;
    }
    draft = await withWish(answer.value, draft, terms, frame);
  }
}

async function withWish(
  wish: ValueWish,
  draft: ServerDraft,
  terms: ReviewTerms,
  frame: Frame,
): Promise<ServerDraft> {
  switch (wish.kind) {
    case 'remove':
      return withoutValue(draft, wish.name);
    case 'change':
      return (await askValue(wish.name, draft, terms, frame)) ?? draft;
    default: {
      const name = await askValueName(draft, terms, frame);
      return (name !== undefined && (await askValue(name, draft, terms, frame))) || draft;
    }
  }
}

function valueLines(draft: ServerDraft): Option<ValueWish>[] {
  const add = isCalled(draft) ? t('Add Header…') : t('Add Environment Variable…');
  return [
    { label: withIcon('check', t('Done')), value: { kind: 'done' } },
    { label: withIcon('add', add), value: { kind: 'add' } },
    ...valuesOf(draft).flatMap(([name, text]): Option<ValueWish>[] => [
      { label: withIcon('edit', valueText(draft, name, text)), value: { kind: 'change', name } },
      {
        label: withIcon('trash', t('Remove {0}', printable(name))),
        value: { kind: 'remove', name },
      },
    ]),
  ];
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
    problem: (name: string) => {
      const read = withValue(draft, name.trim(), '', terms);
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
        'The value of {0}. It is kept in the secret storage, not in the settings. Leave it empty to be asked at the first start.',
        printable(name),
      )
    : t('The value of {0}. It is written to the settings.', printable(name));
  const question = { prompt, value: isSecret ? '' : known, isSecret };
  return askForDraft(question, value => withValue(draft, name, value, terms), frame);
}

function routeOptions(): Option<'roots' | 'args' | 'roots,args'>[] {
  return [
    {
      value: 'roots',
      label: t('It Asks'),
      detail: t('As MCP says: it asks for its roots, and is told when they change.'),
    },
    {
      value: 'args',
      label: t('As Arguments'),
      detail: t(
        'For servers that know no roots. They are added to the command line, and a change restarts the server.',
      ),
    },
    {
      value: 'roots,args',
      label: t('Both'),
      detail: t('For servers that start with the folders of their arguments and ask, too.'),
    },
  ];
}

function routesValue(value: string): readonly RootsRoute[] | undefined {
  return value === 'roots' ? undefined : (value.split(',') as RootsRoute[]);
}

function sandboxOptions(): Option<boolean>[] {
  return [
    {
      value: true,
      label: t('Keep It in Its Folders'),
      description: t('recommended'),
      detail: t('It sees no other files of yours, and can only read .git and .vscode in them.'),
    },
    {
      value: false,
      label: t('Run It Without a Sandbox'),
      detail: t('It runs with your rights: its folders are guidance.'),
    },
  ];
}
