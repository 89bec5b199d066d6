import * as vscode from 'vscode';
import {
  canBeSandboxed,
  type DraftTerms,
  draftProblem,
  emptyDraft,
  lineNamesRoots,
  type ServerDraft,
  serverOf,
  suggestedName,
} from '../../../domain/adding/serverDraft.ts';
import { freeName } from '../../../domain/adding/serverNames.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { printable } from '../../../domain/printable.ts';
import { isSecretName } from '../../../domain/secrets/secretNames.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import type { RootsRoute } from '../../../domain/servers/serverDefinition.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import { localized } from '../../text.ts';
import { askOne, askText, type Option } from './questions.ts';
import { type Answer, type Step, type Taken, walk } from './wizard.ts';
import {
  existingSettings,
  type SecretKeeping,
  type SettingsTarget,
  targetItems,
  writeServers,
} from './writeServers.ts';

/** A server that was written to the settings. */
export interface AddedServer {
  readonly name: string;
  /** Why a program can't be kept in a sandbox on this machine, so that it was not asked about. */
  readonly noSandbox: Sentence | undefined;
}

/**
 * Asks for a new server and writes it to the settings; `undefined` when the user left, which changes
 * nothing.
 */
export async function askForServer(
  keeping: SecretKeeping,
  sandbox: SandboxSource,
): Promise<AddedServer | undefined> {
  const terms = stepTerms(sandbox);
  const start: NewDraft = { ...emptyDraft, target: 'user', valueName: '' };
  const draft = await walk(transportStep(terms), start);
  if (!draft) {
    return undefined;
  }
  const { entry, inputs, kept } = serverOf(draft, terms);
  if (!entry) {
    throw new Error('A draft without a problem became no server.');
  }
  await writeServers([{ name: draft.name, entry, inputs, kept }], draft.target, keeping);
  const noSandbox = isHttp(draft) ? undefined : await terms.noSandbox;
  return { name: draft.name, noSandbox };
}

function stepTerms(sandbox: SandboxSource): StepTerms {
  const { servers, inputs, around } = existingSettings();
  const noSandbox = sandbox().then(made => made.problem());
  noSandbox.catch(() => {}); // It is waited for, and reported, by the question that needs it.
  return {
    isWindows: process.platform === 'win32',
    around,
    known: new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input])),
    isTaken: name => Object.hasOwn(servers, name),
    noSandbox,
  };
}

/** A new server as far as it was entered, and where it is to be. */
interface NewDraft extends ServerDraft {
  readonly target: SettingsTarget;
  /** The name of the variable or header whose value is asked for next. */
  readonly valueName: string;
}

/** The surroundings that the steps depend on. */
interface StepTerms extends DraftTerms {
  readonly isTaken: (name: string) => boolean;
  /** Why nothing can be kept in a sandbox here: looked for while the first questions are answered. */
  readonly noSandbox: Promise<Sentence | undefined>;
}

/** One step of adding a server. */
type AddStep = Step<NewDraft>;

/** Continues with a given answer; passes on that the user went back or left. */
function taken<T>(answer: Answer<T>, then: (value: T) => Taken<NewDraft>): Answer<Taken<NewDraft>> {
  return answer.kind === 'given' ? { kind: 'given', value: then(answer.value) } : answer;
}

/** The mistake in the draft, in the user's language; `undefined` when there is none. */
function problemOf(draft: ServerDraft, terms: DraftTerms): string | undefined {
  const problem = draftProblem(draft, terms);
  return problem && localized(problem);
}

/** The first step: how the server is reached. The others follow from the answers. */
function transportStep(terms: StepTerms): AddStep {
  return async (draft, position) => {
    const options: Option<'stdio' | 'http'>[] = [
      {
        value: 'stdio',
        label: vscode.l10n.t('Program'),
        detail: vscode.l10n.t('Started on this machine by a command, such as npx, uvx or docker.'),
      },
      {
        value: 'http',
        label: vscode.l10n.t('URL'),
        detail: vscode.l10n.t('Runs already, and is called over HTTP.'),
      },
    ];
    const answer = await askOne(vscode.l10n.t('How is the server reached?'), options, position);
    return taken(answer, transport => ({
      draft: { ...draft, transport },
      next: transport === 'http' ? urlStep(terms) : commandStep(terms),
    }));
  };
}

function commandStep(terms: StepTerms): AddStep {
  return async (draft, position) => {
    const question = {
      prompt: vscode.l10n.t('The whole command line. Quotes hold words together, as in a shell.'),
      placeholder: 'npx -y @example/server',
      value: draft.line,
      problem: (line: string) => problemOf({ ...draft, line, name: '' }, terms),
    };
    return taken(await askText(question, position), line => ({
      draft: { ...draft, line },
      next: nameStep(terms),
    }));
  };
}

function urlStep(terms: StepTerms): AddStep {
  return async (draft, position) => {
    const question = {
      prompt: vscode.l10n.t('The URL of the server. Headers are asked for later.'),
      placeholder: 'https://example.com/mcp',
      value: draft.url,
      problem: (url: string) => problemOf({ ...draft, url, name: '' }, terms),
    };
    return taken(await askText(question, position), url => ({
      draft: { ...draft, url },
      next: nameStep(terms),
    }));
  };
}

function nameStep(terms: StepTerms): AddStep {
  return async (draft, position) => {
    const question = {
      prompt: vscode.l10n.t('A name for the server.'),
      value: draft.name || freeName(suggestedName(draft, terms.isWindows), terms.isTaken),
      problem: (name: string) => nameProblem(name.trim(), draft, terms),
    };
    return taken(await askText(question, position), name => ({
      draft: { ...draft, name: name.trim() },
      next: valuesStep(terms, routesStep(sandboxStep(terms))),
    }));
  };
}

function nameProblem(name: string, draft: ServerDraft, terms: StepTerms): string | undefined {
  if (name === '' || name === '__proto__') {
    return vscode.l10n.t('Enter a name.');
  }
  return terms.isTaken(name)
    ? vscode.l10n.t('There is a server of this name already.')
    : problemOf({ ...draft, name }, terms);
}

/** Asked only where there is a choice: a server called over HTTP asks for its roots. */
function routesStep(next: AddStep): AddStep {
  return async (draft, position) => {
    if (draft.transport === 'http' || lineNamesRoots(draft)) {
      return next({ ...draft, rootsAs: undefined }, position);
    }
    const question = vscode.l10n.t('How does the server learn of the folders it may see?');
    return taken(await askOne(question, routeOptions(), position), rootsAs => ({
      draft: { ...draft, rootsAs },
      next,
    }));
  };
}

function routeOptions(): Option<readonly RootsRoute[] | undefined>[] {
  return [
    {
      value: undefined,
      label: vscode.l10n.t('It Asks'),
      detail: vscode.l10n.t('As MCP says: it asks for its roots, and is told when they change.'),
    },
    {
      value: ['args'],
      label: vscode.l10n.t('As Arguments'),
      detail: vscode.l10n.t(
        'For servers that know no roots. They are added to the command line, and a change restarts the server.',
      ),
    },
    {
      value: ['roots', 'args'],
      label: vscode.l10n.t('Both'),
      detail: vscode.l10n.t(
        'For servers that start with the folders of their arguments and ask, too.',
      ),
    },
  ];
}

/** Asked only where there is a choice: a server over HTTP and containers run elsewhere. */
function sandboxStep(terms: StepTerms): AddStep {
  const next = targetStep();
  return async (draft, position) => {
    if (!canBeSandboxed(draft, terms.isWindows) || (await terms.noSandbox)) {
      return next({ ...draft, isSandboxed: false }, position);
    }
    const question = vscode.l10n.t('Is the system to keep the server in the folders it may see?');
    return taken(await askOne(question, sandboxOptions(), position), isSandboxed => ({
      draft: { ...draft, isSandboxed },
      next,
    }));
  };
}

function sandboxOptions(): Option<boolean>[] {
  return [
    {
      value: true,
      label: vscode.l10n.t('Keep It in Its Folders'),
      description: vscode.l10n.t('recommended'),
      detail: vscode.l10n.t(
        'It sees no other files of yours, and can only read .git and .vscode in them.',
      ),
    },
    {
      value: false,
      label: vscode.l10n.t('Run It Without a Sandbox'),
      detail: vscode.l10n.t('It runs with your rights: its folders are guidance.'),
    },
  ];
}

/** Asked only where there is a choice. */
function targetStep(): AddStep {
  return async (draft, position) => {
    const items = targetItems('user');
    const question = vscode.l10n.t('Where is the server to be?');
    const answer: Answer<SettingsTarget> =
      items.length > 1 ? await askOne(question, items, position) : { kind: 'given', value: 'user' };
    return taken(answer, target => ({ draft: { ...draft, target }, next: undefined }));
  };
}

type Wish = { readonly kind: 'go-on' | 'add' } | { readonly kind: 'remove'; readonly name: string };

/** Collects environment variables or headers until the user goes on to the step after. */
function valuesStep(terms: StepTerms, after: AddStep): AddStep {
  return async (draft, position) => {
    const question = isHttp(draft)
      ? vscode.l10n.t('Does the server need headers, such as a token?')
      : vscode.l10n.t('Does the server need environment variables, such as a token?');
    const answer = await askOne(question, wishes(draft), position);
    return taken(answer, wish => {
      switch (wish.kind) {
        case 'go-on':
          return { draft, next: after };
        case 'add':
          return { draft, next: valueNameStep(terms, after) };
        case 'remove':
          return { draft: without(draft, wish.name), next: valuesStep(terms, after) };
      }
    });
  };
}

function wishes(draft: NewDraft): Option<Wish>[] {
  const goOn = vscode.l10n.t('Continue');
  const add = isHttp(draft)
    ? vscode.l10n.t('Add Header…')
    : vscode.l10n.t('Add Environment Variable…');
  return [
    { label: `$(arrow-right) ${goOn}`, value: { kind: 'go-on' } },
    { label: `$(add) ${add}`, value: { kind: 'add' } },
    ...Object.entries(draft.values).map(
      ([name, value]): Option<Wish> => ({
        label: `$(trash) ${vscode.l10n.t('Remove {0}', printable(name))}`,
        description: isSecretName(name) ? '' : printable(value),
        value: { kind: 'remove', name },
      }),
    ),
  ];
}

function valueNameStep(terms: StepTerms, after: AddStep): AddStep {
  return async (draft, position) => {
    const question = {
      prompt: isHttp(draft)
        ? vscode.l10n.t('The name of the header.')
        : vscode.l10n.t('The name of the environment variable.'),
      placeholder: isHttp(draft) ? 'Authorization' : 'API_KEY',
      value: draft.valueName,
      problem: (name: string) => problemOf(withValue(draft, name.trim(), ''), terms),
    };
    return taken(await askText(question, position), name => ({
      draft: { ...draft, valueName: name.trim() },
      next: valueStep(terms, after),
    }));
  };
}

function valueStep(terms: StepTerms, after: AddStep): AddStep {
  return async (draft, position) => {
    const { valueName: name } = draft;
    const isSecret = isSecretName(name);
    const question = {
      prompt: isSecret
        ? vscode.l10n.t(
            'The value of {0}. It is kept in the secret storage, not in the settings. Leave it empty to be asked at the first start.',
            printable(name),
          )
        : vscode.l10n.t('The value of {0}. It is written to the settings.', printable(name)),
      value: draft.values[name] ?? '',
      isSecret,
      problem: (value: string) => problemOf(withValue(draft, name, value), terms),
    };
    return taken(await askText(question, position), value => ({
      draft: { ...withValue(draft, name, value), valueName: '' },
      next: valuesStep(terms, after),
    }));
  };
}

function withValue(draft: NewDraft, name: string, value: string): NewDraft {
  return { ...draft, values: { ...draft.values, [name]: value } };
}

function without(draft: NewDraft, name: string): NewDraft {
  const rest = Object.entries(draft.values).filter(([other]) => other !== name);
  return { ...draft, values: Object.fromEntries(rest) };
}

function isHttp({ transport }: NewDraft): boolean {
  return transport === 'http';
}
