/** The part of a root that no disk is asked for: it is always in place. */
export const inPlace = {
  place: '1:1',
  whyNot: () => undefined,
  silentOn: () => undefined,
  git: { of: () => [] },
  ask: () => undefined,
};
