/** The part of a root that no disk is asked for: it is always in place. */
export const inPlace = {
  device: 1n,
  inode: 1n,
  whyNot: () => undefined,
  silentOn: () => undefined,
  ask: () => undefined,
};
