import type { KeyPath } from '../../domain/json.ts';
import { plainSecrets } from '../../domain/secrets/plainSecrets.ts';
import type { Shown } from '../../domain/shown.ts';
import { localized, t } from '../text.ts';
import type { DefinitionText } from './definitionText.ts';

/** Something that a person should know of a place in a text. */
export interface Finding {
  readonly path: KeyPath;
  readonly text: Shown;
  /** `mistake`: nobody can go by what is written there. */
  readonly kind: 'mistake' | 'secret';
}

/** The mistakes in a text, and the secrets that stand in it. */
export function findingsIn(text: DefinitionText): readonly Finding[] {
  return [
    ...text.mistakes.map(({ path, said }): Finding => {
      return { path, text: localized(said), kind: 'mistake' };
    }),
    ...text.servers.flatMap(({ path, entry }) =>
      plainSecrets(entry).map((place): Finding => {
        return { path: [...path, ...place], text: secretText(text), kind: 'secret' };
      }),
    ),
  ];
}

function secretText({ kind }: DefinitionText): Shown {
  switch (kind.kind) {
    case 'settings':
      return t('A secret in plain text. An input is kept in the secret storage instead.');
    case 'hub':
      return t(
        'A secret in plain text. Write {0}, and set that where the hub is started.',
        '${env:NAME}',
      );
    case 'client':
      return t(
        'A secret in plain text. MCP Roots keeps those of its servers in the secret storage.',
      );
  }
}
