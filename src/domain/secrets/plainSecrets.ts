import { isJsonObject, type KeyPath } from '../json.ts';
import { hideSecretArguments, hideSecrets } from './literalSecrets.ts';

/**
 * Where in the definition of a server, in the form of any client, a secret stands in plain text. A
 * secret in one of its variables, as in `${input:token}`, is none.
 */
export function plainSecrets(entry: unknown): readonly KeyPath[] {
  if (!isJsonObject(entry)) {
    return [];
  }
  const { command, args, env, headers, url } = entry;
  return [
    ...ofArguments(typeof command === 'string' ? command : '', args),
    ...ofValues('env', env),
    ...ofValues('headers', headers),
    ...(typeof url === 'string' && isSecretIn(url) ? [['url']] : []),
  ];
}

function ofArguments(command: string, args: unknown): readonly KeyPath[] {
  // Something for each that is no text, so that the others keep their places.
  const texts = Array.isArray(args) ? args.map(arg => (typeof arg === 'string' ? arg : '')) : [];
  const shown = hideSecretArguments(command, texts, () => hidden);
  return texts.flatMap((text, index) => (shown[index] === text ? [] : [['args', index]]));
}

function ofValues(key: 'env' | 'headers', values: unknown): readonly KeyPath[] {
  const texts = isJsonObject(values) ? Object.entries(values) : [];
  return texts.flatMap(([name, text]) =>
    typeof text === 'string' && isSecretIn(text, name) ? [[key, name]] : [],
  );
}

function isSecretIn(text: string, name?: string): boolean {
  return hideSecrets(text, name, () => hidden) !== text;
}

/** In no text that a person wrote, so that whatever is hidden makes a difference. */
const hidden = '\0';
