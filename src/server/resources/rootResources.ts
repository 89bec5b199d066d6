import { basename } from 'node:path';
import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RootFolder } from '../roots/rootFolders.ts';

/** Each root, as a resource. */
export function rootResources({ roots, platform }: PathScope<RootFolder>): readonly Resource[] {
  const style = platform === 'win32' ? 'windows' : 'posix';
  return roots.map(({ announced, name }) => ({
    // Without a slash at its end, by which some clients would take it for a folder of resources.
    uri: fileUri(announced, style),
    name: name ?? (basename(announced) || announced),
    description: 'What this shared folder holds.',
    mimeType: 'text/plain',
  }));
}

/**
 * One page of a list, and the cursor with which a client gets the next one.
 * @throws when the cursor is none of ours.
 */
export function pageOf(
  resources: readonly Resource[],
  cursor: string | undefined,
): { resources: Resource[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!/^\d{1,9}$/.test(cursor ?? '0')) {
    const message = 'There is no such cursor: list the resources from the start.';
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const end = start + pageSize;
  return {
    resources: resources.slice(start, end),
    ...(end < resources.length && { nextCursor: String(end) }),
  };
}

const pageSize = 500;
