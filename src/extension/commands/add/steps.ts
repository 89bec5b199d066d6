import * as vscode from 'vscode';
import { namesRoots, type ServerDraft, suggestedName } from '../../../domain/adding/serverDraft.ts';
import { freeName } from '../../../domain/adding/suggestedName.ts';
import type { RootsRoute } from '../../../domain/servers/serverDefinition.ts';
import type { SettingsTarget } from '../import/settingsWriter.ts';
import { targetItems } from '../import/targetItems.ts';
import { type AddStep, problemOf, type StepTerms, taken } from './addStep.ts';
import { type Answer, askOne, askText, type Option } from './questions.ts';
import { valuesStep } from './valueSteps.ts';

/** The first step: how the server is reached. The others follow from the answers. */
export function transportStep(terms: StepTerms): AddStep {
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
      next: valuesStep(terms, routesStep()),
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
function routesStep(): AddStep {
  const next = targetStep();
  return async (draft, position) => {
    if (draft.transport === 'http' || namesRoots(draft)) {
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
