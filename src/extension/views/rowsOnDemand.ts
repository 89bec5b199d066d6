import type { TreeItem } from 'vscode';
import { printable } from '../../domain/printable.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { folderLines, formerText } from '../folderText.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import { clientDetails, clientItem } from './clientItem.ts';
import { problemItem } from './problemItem.ts';
import type { RareRow, Row } from './rows.ts';
import { serverDetails } from './serverDetails.ts';
import { toolItem, toolProblemItem } from './toolItem.ts';

/**
 * The tooltip of a row, which is written only when a person points at it. `undefined`: the row has brought
 * its own.
 */
export function rowDetails(
  row: Row,
  clients: Pick<Clients, 'of'>,
  questions: Pick<OpenQuestions, 'of'>,
  servers: readonly Server[],
): string | undefined {
  switch (row.kind) {
    case 'server': {
      const { server } = row;
      return serverDetails(server, clients.of(server), questions.of(server), servers).join('\n');
    }
    case 'folder':
      return folderLines(row.access, row.server).join('\n');
    case 'folders':
      return row.folders
        .map(({ access: { folder } }) => printable(folder.path ?? folder.uri))
        .join('\n');
    case 'client':
      return clientDetails(row.client).join('\n');
    case 'former-root':
      return [printable(row.root.uri), formerText(row.root.uri, row.server)].join('\n');
    default:
      return undefined;
  }
}

/** How a row looks that few windows have. */
export function rareItem(row: RareRow): TreeItem {
  switch (row.kind) {
    case 'client':
      return clientItem(row.client);
    case 'problem':
      return problemItem(row);
    case 'tool':
      return toolItem(row);
    case 'tool-problem':
      return toolProblemItem(row);
  }
}
