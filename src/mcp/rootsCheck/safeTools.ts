import type { Tool } from '@modelcontextprotocol/client';
import { fieldsOf } from '../../domain/toolArguments.ts';

/** A way to have a tool read by path. */
export interface PathTool {
  readonly name: string;
  readonly parameter: string;
  readonly takesUri: boolean;
  /** What the path is of: a file, whose text it may show, or a folder, whose files it may name. */
  readonly aim: 'file' | 'folder';
}

const fileParameters = ['file', 'filename', 'filepath'];
const folderParameters = ['dir', 'directory', 'dirpath', 'directorypath', 'folder', 'folderpath'];
const pathParameters = ['path', 'pathname', 'fullpath', 'absolutepath'];
const uriParameters = ['uri', 'fileuri'];
const parametersOf = {
  file: [...fileParameters, ...pathParameters, ...uriParameters],
  folder: [...folderParameters, ...pathParameters, ...uriParameters],
} as const;

/** The ways in which tools may be had to read by path, the most promising first. Each is safe to try. */
export function pathTools(tools: readonly Tool[]): PathTool[] {
  const safe = safeTools(tools);
  return (['file', 'folder'] as const).flatMap(aim =>
    safe.flatMap(tool => {
      const parameter = onlyRequired(tool);
      const plain = parameter?.replace(/[-_]/g, '').toLowerCase() ?? '';
      return parameter !== undefined && parametersOf[aim].includes(plain)
        ? [{ name: tool.name, parameter, takesUri: uriParameters.includes(plain), aim }]
        : [];
    }),
  );
}

/** The tools that may say, without any argument, in which folders the server works. */
export function namingTools(tools: readonly Tool[]): string[] {
  return safeTools(tools)
    .filter(tool => fieldsOf(tool.inputSchema).every(({ isRequired }) => !isRequired))
    .filter(({ name }) => /roots|allowed|directories|folders/i.test(name))
    .map(({ name }) => name);
}

/** The tools that change nothing, by their own word or by their name; the word goes first. */
function safeTools(tools: readonly Tool[]): readonly Tool[] {
  const declared = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const named = tools.filter(
    ({ name, annotations }) =>
      annotations?.readOnlyHint === undefined &&
      annotations?.destructiveHint !== true &&
      /^(?:read|list|get|stat)(?![a-z])/.test(name),
  );
  return [...declared, ...named];
}

function onlyRequired({ inputSchema }: Tool): string | undefined {
  const required = fieldsOf(inputSchema).filter(({ isRequired }) => isRequired);
  const [field] = required;
  return required.length === 1 && field?.kind === 'string' && !field.choices
    ? field.name
    : undefined;
}
