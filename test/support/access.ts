import type { AccessTerms } from '../../src/domain/consent/access.ts';

/** The terms of a trusted window without rules, in which everything is offered and this decided. */
export function allowing(decisionOn: AccessTerms['decisionOn']): AccessTerms {
  const ruling = { leftOut: undefined, forbiddenWithin: [], isWide: false };
  return {
    isTrusted: true,
    rules: { rulingOn: () => ruling },
    isOffered: () => true,
    decisionOn,
  };
}
