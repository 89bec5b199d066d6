import { posix, win32 } from 'node:path';
import { replaceVariables, type Variable } from '../variables/variableNames.ts';
import type { ImportSource } from './importSource.ts';

/** What becomes of the variables that have no exact counterpart, and of inputs. */
export interface VariableRules {
  /** What stands for `${input:id}` of the file. */
  readonly input: (id: string) => string;
  /** What stands for a variable that can't be translated; it is given without `${` and `}`. */
  readonly unknown: (variable: string) => string;
  /** What stands for one with a default value, which is lost. */
  readonly withDefault: (name: string) => string;
}

/**
 * The text with the variables of another client's file written as `mcpRoots.servers` knows them.
 * All that is left in the answer is known there, or comes from the rules.
 */
export function translateVariables(
  text: string,
  source: ImportSource,
  rules: VariableRules,
): string {
  if (source.dialect === 'own') {
    return text;
  }
  return replaceVariables(text, ({ asWritten, variable }) => {
    const inside = asWritten.slice('${'.length, -1);
    return (
      exact(inside, source) ??
      (isShared(variable, source) ? asWritten : byRule(inside, source, rules))
    );
  });
}

/** The exact counterpart, if there is one. */
function exact(variable: string, { dialect, folder, separator }: ImportSource): string | undefined {
  if (dialect === 'claude-desktop') {
    return undefined; // It knows no variables: what looks like one is a text.
  }
  if (dialect === 'claude-code' && folder && /^CLAUDE_PROJECT_DIR(?::-.*)?$/s.test(variable)) {
    return ofFolder(folder); // Claude Code sets it itself, so that its default never counts.
  }
  switch (variable) {
    case 'workspaceFolder':
      return ofFolder(folder);
    case 'workspaceFolderBasename':
      return folder && baseName(folder.path, separator);
    case 'pathSeparator':
    case '/':
      return separator;
    default:
      return undefined;
  }
}

/** Whether it means the same here as there. */
function isShared(variable: Variable | undefined, { dialect }: ImportSource): boolean {
  switch (variable?.kind) {
    case 'workspaceFolder':
    case 'userHome':
      return dialect !== 'claude-desktop';
    case 'env':
      // Nothing else is the name of a variable: it may be a value that was put there by mistake.
      return dialect !== 'claude-desktop' && /^[\w()]+$/.test(variable.name);
    default:
      return false;
  }
}

function byRule(variable: string, { dialect }: ImportSource, rules: VariableRules): string {
  const [, kind = '', rest = ''] = /^(input):(.+)$/s.exec(variable) ?? [];
  if (kind === 'input' && dialect !== 'claude-desktop') {
    return rules.input(rest);
  }
  const [, name = '', hasDefault] = /^([A-Za-z_]\w*)(:-.*)?$/s.exec(variable) ?? [];
  if (dialect !== 'claude-code' || name === '') {
    return rules.unknown(variable);
  }
  return hasDefault === undefined ? `\${env:${name}}` : rules.withDefault(name);
}

function ofFolder(folder: ImportSource['folder']): string | undefined {
  if (!folder || folder.isOnly) {
    return `\${workspaceFolder}`;
  }
  // A name that would end the variable early can't be said in one.
  return /[{}]/.test(folder.name) ? undefined : `\${workspaceFolder:${folder.name}}`;
}

function baseName(path: string, separator: string): string | undefined {
  const name = (separator === '/' ? posix : win32).basename(path);
  return name.includes('$') ? undefined : name;
}
