import type { AccessTerms } from '../../src/domain/consent/folderAccess.ts';

/** The terms of a trusted window without rules: everything is offered, with these decisions. */
export function allowing(decisionOn: AccessTerms['decisionOn']): AccessTerms {
  const ruling = { exclusion: undefined, forbiddenWithin: [], isWide: false };
  return {
    isTrusted: true,
    rules: { rulingOn: () => ruling },
    isOffered: () => true,
    decisionOn,
  };
}
