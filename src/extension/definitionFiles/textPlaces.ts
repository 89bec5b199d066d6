import type { KeyPath } from '../../domain/json.ts';
import { type JsonNode, placeInTree } from '../../domain/jsonTree.ts';
import * as vscode from '../vscode.ts';
import type { DefinitionText } from './definitionText.ts';

/**
 * Where a part of a value stands, with its key if it has one. Of a part of several lines, and of what
 * is around a missing part, it is the first line alone: nobody wants all of it marked.
 */
export function rangeOf(
  { document, root }: Pick<DefinitionText, 'document' | 'root'>,
  path: KeyPath,
): vscode.Range {
  const { key, value, isExact } = placeInTree(root, path);
  const whole = rangeOfNodes(document, key ?? value, value);
  if (isExact && whole.isSingleLine) {
    return whole;
  }
  const first = key ? rangeOfNodes(document, key) : document.lineAt(whole.start).range;
  return key ? first : (whole.intersection(first) ?? first);
}

/** From the beginning of one node to the end of another. */
export function rangeOfNodes(
  document: vscode.TextDocument,
  first: JsonNode,
  last = first,
): vscode.Range {
  return new vscode.Range(
    document.positionAt(first.offset),
    document.positionAt(last.offset + last.length),
  );
}
