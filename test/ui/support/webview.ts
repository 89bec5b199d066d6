import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, FrameLocator, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The page of an extension in the tab that is in front. */
export function webview(page: Page): FrameLocator {
  return page.frameLocator('.webview.ready >> visible=true').frameLocator('#active-frame');
}

/** The same, for code that runs in it. */
export async function webviewFrame(page: Page): Promise<Frame> {
  const body = await webview(page).locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  if (!frame) {
    throw new Error('There is no page of an extension.');
  }
  return frame;
}

/** The serious and critical findings of axe in it, each with its elements and the reason. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  const frame = await webviewFrame(page);
  await frame.evaluate(axe);
  const { violations } = await run(frame);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
    );
}

interface Findings {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

function run(frame: Frame): Promise<Findings> {
  return frame.evaluate('axe.run()');
}
