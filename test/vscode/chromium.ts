import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { canInstallPackages, installPackages } from '../support/debianPackages.ts';

// The first is Chromium without a window, which needs less of the processor.
const names = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'msedge'],
];
const places = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * A headless Chromium: from `MCP_ROOTS_CHROMIUM`, else from this machine, else Debian's, installed
 * now if we are root on Debian.
 *
 * @throws with what to install when none is found.
 */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    // It only opens our pages on localhost, so it need not look anything up.
    args: ['--disable-quic', '--disable-gpu', '--disable-sync', '--disable-component-update'],
    // The caller closes it, and the VS Code server with it, in the right order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Where Chromium is on this machine, after installing it if that is needed and possible. */
export async function chromiumPath(): Promise<string> {
  const found = process.env['MCP_ROOTS_CHROMIUM'] ?? findChromium();
  if (!found && canInstallPackages()) {
    await installPackages('chromium-headless-shell', 'chromium', 'fonts-liberation');
  }
  const path = found ?? findChromium();
  if (!path) {
    throw new Error(
      'The tests need Chromium and found none. Install it (Debian: `apt-get install chromium`), ' +
        'or name its executable in MCP_ROOTS_CHROMIUM.',
    );
  }
  return path;
}

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = folders.flatMap(folder => names.map(name => join(folder, name)));
  return [...onPath, ...places].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
