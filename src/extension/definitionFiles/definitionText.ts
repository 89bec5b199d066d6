import { homedir } from 'node:os';
import { type ParseError, parseTree } from 'jsonc-parser';
import { serverLists } from '../../domain/gateway/clientFiles.ts';
import { hubLists, keyTwice, readHubConfig } from '../../domain/hubConfig/hubConfig.ts';
import { isJsonObject, type JsonObject, type KeyPath } from '../../domain/json.ts';
import { type JsonNode, placeInTree, tooDeepAt, valueOfTree } from '../../domain/jsonTree.ts';
import { type Mistake, placedIn } from '../../domain/settings/mistakes.ts';
import { Setting } from '../ids.ts';
import { problemsIn } from '../settings.ts';
import * as vscode from '../vscode.ts';
import type { DefinitionKind } from './definitionKind.ts';

/** A server as a text defines it. */
export interface DefinedServer {
  readonly name: string;
  /** The path to the server in the value of the text. */
  readonly path: KeyPath;
  readonly entry: unknown;
  /** The server's name in the text. */
  readonly key: JsonNode;
}

/** The servers that a text defines, as far as it can be read while somebody edits it. */
export interface DefinitionText {
  readonly document: vscode.TextDocument;
  readonly kind: DefinitionKind;
  readonly root: JsonNode;
  readonly value: unknown;
  /** Whether the whole text is JSON. */
  readonly isWhole: boolean;
  readonly servers: readonly DefinedServer[];
  /** The mistakes in the value of the text. */
  readonly mistakes: readonly Mistake[];
}

/** Reads a document that defines servers; `undefined` for an empty or too deeply nested text. */
export function readDefinitions(
  document: vscode.TextDocument,
  kind: DefinitionKind,
): DefinitionText | undefined {
  const text = document.getText();
  if (tooDeepAt(text) !== undefined) {
    return undefined;
  }
  const errors: ParseError[] = [];
  const root: JsonNode | undefined = parseTree(text, errors, { allowTrailingComma: true });
  if (!root) {
    return undefined;
  }
  const { value, twice } = valueOfTree(root);
  const repeated = kind.kind === 'hub' ? twice : [];
  return {
    document,
    kind,
    root,
    value,
    isWhole: errors.length === 0,
    servers: listsOf(kind).flatMap(list => serversIn(root, list)),
    mistakes: [
      ...repeated.flatMap(({ path }) => keyTwice(path).mistakes),
      ...mistakesIn(value, kind),
    ],
  };
}

/**
 * The range of the part at a path, with its key if it has one. If the part has several lines, this
 * is its key or first line. If it is missing, this is the key or first line of the part around it.
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

/** The range from the beginning of one node to the end of another. */
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

/** The paths to the lists of servers. */
function listsOf(kind: DefinitionKind): readonly KeyPath[] {
  switch (kind.kind) {
    case 'settings':
      return [[...kind.under, Setting.servers]];
    case 'hub':
      return hubLists.map(list => [list]);
    case 'client':
      return serverLists().map(list => [...kind.source.at, list]);
  }
}

function serversIn(root: JsonNode, list: KeyPath): readonly DefinedServer[] {
  const { value, isExact } = placeInTree(root, list);
  const members = isExact && value.type === 'object' ? (value.children ?? []) : [];
  return members.flatMap(({ children: [key, entry] = [] }) => {
    const name = String(key?.value);
    const found = entry && { name, path: [...list, name], entry: valueOfTree(entry).value };
    return key && found ? [{ ...found, key }] : [];
  });
}

function mistakesIn(value: unknown, kind: DefinitionKind): readonly Mistake[] {
  switch (kind.kind) {
    case 'settings': {
      const { from = 'user', under } = kind;
      return placedIn(under, problemsIn(from, settingsAt(value, under)));
    }
    case 'hub':
      return readHubConfig(value, homedir()).mistakes;
    case 'client':
      return []; // Other clients have rules of their own, which are not checked.
  }
}

/** The settings in the value of a file. The file may hold other things, too. */
function settingsAt(value: unknown, under: KeyPath): JsonObject {
  const [key] = under;
  const inside = key !== undefined && isJsonObject(value) ? value[key] : value;
  return isJsonObject(inside) ? inside : {};
}
