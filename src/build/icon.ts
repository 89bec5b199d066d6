import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../../test/vscode/chromium.ts';

// `npm run icon` draws media/icon.png from media/icon.svg, because the galleries take no SVG.

const media = join(import.meta.dirname, '..', '..', 'media');
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
const picture = readFileSync(join(media, 'icon.svg'), 'utf8');
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${picture}`);
await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
await browser.close();
