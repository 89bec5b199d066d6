import { basename } from 'node:path';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { longestMessage } from '../../base/lineReader.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';
import { listFolder } from '../listing/listFolder.ts';
import { textOfEntries } from '../listing/listingText.ts';
import { inFolderInside } from '../paths/openInside.ts';
import { invalid, type Refusal } from '../paths/refusal.ts';
import { isText, mediaTypeOf } from '../reading/mediaType.ts';
import { type WholeFile, wholeFileInside } from '../reading/wholeFile.ts';
import type { RunningCall } from '../runningCall.ts';

type Contents = ReadResourceResult['contents'][number];

/**
 * The contents of a file in a root, as text or as bytes, or the entries of a folder, as text.
 * @throws what a client is told of a resource that it cannot get.
 */
export function readResource(uri: string, call: RunningCall): ReadResourceResult {
  const { problem } = call.view;
  if (problem !== undefined) {
    const message = `It is not known which folders are shared, so nothing is served. ${problem}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  if (!isFileUri(uri)) {
    throw errorFor(uri, invalid(uri, 'It is not a file: URI.'));
  }
  const listed = inFolderInside(call.scope, uri, folder =>
    listFolder(folder, { offset: 0, limit }),
  );
  if (listed.ok) {
    const { entries, ...head } = listed.value;
    const text = textOfEntries(entries, head);
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  }
  // An entry that exists and is no folder may be a file.
  const read = listed.kind === 'unusable' ? wholeFileInside(call.scope, uri) : listed;
  if (!read.ok) {
    throw errorFor(uri, read);
  }
  return { contents: [contentsOf(uri, read.value)] };
}

/** The most entries of a folder that are listed. For the others there is list-directory. */
const limit = 1000;

function contentsOf(uri: string, { path, bytes }: WholeFile): Contents {
  const common = { uri, mimeType: mediaTypeOf(basename(path), bytes) };
  const text = isText(bytes) ? bytes.toString() : undefined;
  return text !== undefined && fitsAsText(text)
    ? { ...common, text }
    : { ...common, blob: bytes.toString('base64') };
}

/** Some characters take six bytes in JSON: a text of many of them is shorter as bytes. */
function fitsAsText(text: string): boolean {
  return text.length * 6 <= mostJson || Buffer.byteLength(JSON.stringify(text)) <= mostJson;
}

/** In bytes, which leave room for the rest of the line. */
const mostJson = 0.75 * longestMessage;

/** A path outside is not found, like a missing one. The message is that of the tools. */
function errorFor(uri: string, { kind, message }: Refusal): ProtocolError {
  return kind === 'outside' || kind === 'missing'
    ? new ResourceNotFoundError(uri, message)
    : new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
