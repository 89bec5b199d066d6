import {
  descriptorPin,
  identityPin,
  type Pin,
  workingFolderPin,
} from '../../src/server/paths/pins.ts';
import { onlyOn } from './systems.ts';

/** Each system's way to pin an opened file; all of them run on Linux. */
export const pins: Readonly<Record<string, Pin>> = {
  'the way of Linux': descriptorPin,
  'the way of macOS': workingFolderPin,
  'the way of Windows': identityPin,
};

/** Why they are not compared here, where they are not. */
export const skipPins = onlyOn('linux', 'the ways are compared on Linux');
