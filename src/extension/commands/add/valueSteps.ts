import * as vscode from 'vscode';
import { printable } from '../../../domain/printable.ts';
import { isSecretName } from '../../../domain/secrets/secretNames.ts';
import { type AddStep, type NewDraft, problemOf, type StepTerms, taken } from './addStep.ts';
import { askOne, askText, type Option } from './questions.ts';

type Wish = { readonly kind: 'go-on' | 'add' } | { readonly kind: 'remove'; readonly name: string };

/** Collects environment variables or headers until the user goes on to the step after. */
export function valuesStep(terms: StepTerms, after: AddStep): AddStep {
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
