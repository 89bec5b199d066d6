import { printable } from '../../domain/printable.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { folderLines, formerText } from '../folderText.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import { clientDetails } from './clientItem.ts';
import type { Row } from './rows.ts';
import { serverDetails } from './serverDetails.ts';

/**
 * The tooltip of a row, which is written only when a person points at it. `undefined`: the row has brought
 * its own.
 */
export function rowDetails(
  row: Row,
  clients: Pick<Clients, 'of'>,
  questions: Pick<OpenQuestions, 'of'>,
  servers: readonly Server[],
): Shown | undefined {
  switch (row.kind) {
    case 'server': {
      const { server } = row;
      return lines(serverDetails(server, clients.of(server), questions.of(server), servers));
    }
    case 'folder':
      return lines(folderLines(row.access, row.server));
    case 'folders':
      return lines(
        row.folders.map(({ access: { folder } }) => printable(folder.path ?? folder.uri)),
      );
    case 'client':
      return lines(clientDetails(row.client));
    case 'former-root':
      return lines([printable(row.root.uri), formerText(row.root.uri, row.server)]);
    default:
      return undefined;
  }
}

function lines(texts: readonly string[]): Shown {
  return shown(texts.join('\n'));
}
