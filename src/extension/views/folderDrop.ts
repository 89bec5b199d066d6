import type { Logger } from '../../base/logger.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { OfferFolders } from '../commands/offerFolder.ts';
import { diskState } from '../folders/diskState.ts';
import { reportFailure } from '../registerCommand.ts';
import * as vscode from '../vscode.ts';
import type { Row } from './rows.ts';

const uriList = 'text/uri-list';

/** Takes folders that are dragged onto a server, or onto any row below it, from the Explorer. */
export class FolderDrop implements vscode.TreeDragAndDropController<Row> {
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];
  private readonly offer: OfferFolders;
  private readonly logger: Logger;

  constructor(offer: OfferFolders, logger: Logger) {
    this.offer = offer;
    this.logger = logger;
  }

  /** Offers all dropped folders; when anything dropped is no folder, it offers nothing and says so. */
  async handleDrop(row: Row | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const list = await dropped.get(uriList)?.asString();
    await reportFailure(this.logger, async () => {
      if (!row) {
        throw new HumanError('Drop a folder on the server that is to be offered it.');
      }
      const paths = await Promise.all(readUriList(list ?? '').map(folderAt));
      if (paths.length > 0) {
        await this.offer(row.server, paths);
      }
    });
  }
}

/** The URIs of a `text/uri-list`, in their order: one a line, comments left out. (RFC 2483, section 5.) */
function readUriList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}

/** @throws {HumanError} when there is no folder on disk at this URI. */
async function folderAt(text: string): Promise<string> {
  const uri = vscode.Uri.parse(text);
  if (uri.scheme !== 'file') {
    throw new HumanError('{0} is not on disk, so no server can be told of it.', uri.toString());
  }
  if ((await diskState(uri.fsPath)) !== 'directory') {
    throw new HumanError('{0} is not a folder, or cannot be read. Drop another one.', uri.fsPath);
  }
  return uri.fsPath;
}
