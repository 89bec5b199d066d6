import type { Access } from '../consent/folderAccess.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** What decides on whether the agents of a window are told of a server. */
export interface PublicationTerms {
  /** Whether the window is trusted. */
  readonly isTrusted: boolean;
  /** Whether the user offers the server to agents, as it is. */
  readonly isOffered: boolean;
  /** Whether the user agreed to start it as it is. */
  readonly isLaunchAllowed: boolean;
  readonly access: Pick<Access, 'roots'>;
}

/**
 * Why agents are not told of a server now; `undefined` when they are. Editors start by themselves what
 * they are told of, so that every question must have been answered before.
 */
export function whyUnpublished(label: string, terms: PublicationTerms): Sentence | undefined {
  if (!terms.isTrusted) {
    return sentence('In Restricted Mode "{0}" is not there for agents.', label);
  }
  if (!terms.isOffered) {
    return sentence(
      '"{0}" is not offered to agents. Its menu in the view MCP Roots has "Offer to Agents".',
      label,
    );
  }
  if (!terms.isLaunchAllowed) {
    return sentence(
      '"{0}" was not agreed to as it is now. Start it in the view MCP Roots first.',
      label,
    );
  }
  if (terms.access.roots.length === 0) {
    return sentence('"{0}" may see no folder now. Allow it one in the view MCP Roots.', label);
  }
  return undefined;
}
