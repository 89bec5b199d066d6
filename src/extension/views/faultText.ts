import { l10n } from 'vscode';
import { printable } from '../../domain/printable.ts';
import { type Fault, faultsInOrder } from '../../domain/servers/serverFaults.ts';
import type { Server } from '../servers/server.ts';
import { secondsText } from '../text.ts';

/** What is not as it should be with a server, a few words each, what matters most first. */
export function faultTexts({ faults, state }: Server): readonly string[] {
  const ending = state.kind === 'stopped' ? state.ending : undefined;
  return faultsInOrder(faults, ending).map(faultText);
}

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'overdue-call':
      return l10n.t(
        'no answer to call of {0} since {1}',
        printable(fault.call.tool),
        secondsText(fault.call.since),
      );
    case 'terminated':
      return l10n.t('had to be told to terminate');
    case 'killed':
      return l10n.t('ended only when killed');
    case 'left-behind':
      return l10n.t('processes it left behind, ended too: {0}', fault.count);
    case 'request-flood':
      return l10n.t('floods with requests for roots');
    case 'notification-flood':
      return l10n.t('floods with notifications');
    case 'message-flood':
      return l10n.t('floods with log messages: {0} left out', fault.count);
    case 'long-line':
      return l10n.t('a line of {0} MB was skipped', fault.megabytes);
    case 'rubbish':
      return l10n.t('lines that are no MCP: {0}', fault.count);
    case 'strays':
      return l10n.t('answers nobody asked for: {0}', fault.count);
  }
}
