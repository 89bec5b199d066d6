import { packaged } from '../support/hubServers.ts';
import type { Era } from '../support/wire.ts';
import { raw } from './contenders.ts';
import type { Launch } from './rawClient.ts';

/** A server that is called directly and through the hub, to read a small file. */
export interface HubChild {
  readonly name: string;
  readonly launch: Launch;
  /** The era in which it is spoken to, whoever calls. */
  readonly era: Era;
  /** The tool that reads a file. */
  readonly reads: string;
}

/** The quickest there is: what stands in front of it shows most. */
export const rawChild: HubChild = {
  name: 'raw child',
  launch: raw.launch,
  era: 'legacy',
  reads: 'read',
};

export const newestRawChild: HubChild = { ...rawChild, era: 'modern' };

/** As every server of the newest revision has to that wants to know the roots. */
export const askingRawChild: HubChild = {
  ...newestRawChild,
  name: 'raw child that asks for roots',
  reads: 'rooted-read',
};

export const filesystemChild: HubChild = {
  name: 'server-filesystem',
  launch: {
    command: process.execPath,
    args: [packaged('@modelcontextprotocol/server-filesystem')],
  },
  era: 'legacy',
  reads: 'read_text_file',
};
