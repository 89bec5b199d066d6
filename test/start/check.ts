import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { extensionId } from '../support/extensionId.ts';
import { Workbench } from '../ui/support/workbench.ts';
import { channelLog } from '../vscode/channelLog.ts';
import { launchChromium } from '../vscode/chromium.ts';
import type { CodeServer } from '../vscode/codeServer.ts';
import { Conversation } from './conversation.ts';
import { doMainJob } from './mainJob.ts';
import { Report } from './report.ts';

/**
 * Drives the main job without a person in the window that `server` serves, and prints what happened.
 * Returns whether everything was as it should be.
 */
export async function check(server: CodeServer, workspace: string): Promise<boolean> {
  const browser = await launchChromium();
  try {
    return await checkIn(browser, server, workspace);
  } finally {
    await browser.close();
  }
}

async function checkIn(browser: Browser, server: CodeServer, workspace: string): Promise<boolean> {
  const report = new Report();
  const workbench = await Workbench.open(browser, server, { workspace });
  const conversation = new Conversation(() => logOf(server, 'MCP Roots: MCP Roots Server'));
  try {
    await doMainJob({ workbench, conversation, workspace, report });
  } catch (error) {
    report.hears(conversation.news());
    report.logs(logOf(server, 'MCP Roots'));
    report.verify(error instanceof Error ? error.message : String(error), false);
  }
  const picture = await workbench.screenshot('check');
  await workbench.close();
  console.log(`\nThe window at the end: ${join('artifacts', picture.split(/[\\/]/).at(-1) ?? '')}`);
  console.log(report.failures.length === 0 ? 'The main job works.' : 'The main job does not work.');
  return report.failures.length === 0;
}

function logOf(server: CodeServer, channel: string): string[] {
  return channelLog(server, extensionId, channel);
}
