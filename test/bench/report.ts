import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { amountOf, type Figure } from './figures.ts';
import type { Row } from './row.ts';

/** What the help shows of rows with the same headline: a bar for each side. */
export interface Story {
  readonly headline: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly side: Side;
  readonly figure: Figure;
  /** Of the side, where it is not the same in all stories. */
  readonly name?: string;
}

const sides = {
  ours: 'MCP Roots',
  theirs: 'reference server',
  floor: 'floor',
} as const;
type Side = keyof typeof sides;

/** In the order of the rows. Of several others that do the same, the first. */
export function storiesOf(rows: readonly Row[]): readonly Story[] {
  const headlines = new Set(rows.flatMap(({ headline = [] }) => headline));
  return [...headlines].map(headline => {
    const told = rows.filter(row => row.headline === headline);
    const other = (side: 'theirs' | 'floor'): readonly Bar[] => {
      const row = told.find(({ role }) => role === side);
      const name = side === 'floor' ? { name: row?.against ?? '' } : {};
      return row?.theirs ? [{ side, figure: row.theirs, ...name }] : [];
    };
    const ours = told.flatMap(row => row.ours ?? []).slice(0, 1);
    const mine = ours.map((figure): Bar => ({ side: 'ours', figure }));
    return { headline, bars: [...mine, ...other('theirs'), ...other('floor')] };
  });
}

/** As a table in Markdown. */
export function markdownOf(stories: readonly Story[]): string {
  const rows = stories.map(({ headline, bars }) => {
    const cells = (Object.keys(sides) as Side[]).map(side => {
      const bar = bars.find(each => each.side === side);
      return bar ? labelOf(bar) : '';
    });
    return `| ${[headline, ...cells].join(' | ')} |`;
  });
  const heads = ['', ...Object.values(sides)];
  return [`| ${heads.join(' | ')} |`, '| --- | ---: | ---: | ---: |', ...rows].join('\n');
}

function labelOf({ figure, name }: Bar): string {
  return name ? `${amountOf(figure)} (${name})` : amountOf(figure);
}

const [width, margin, barsAt, longest] = [780, 16, 300, 250];
const [barHeight, gap, top] = [12, 10, 58];

// The picture brings its own background, so that it reads well wherever it stands. The bars differ in
// brightness, too, not in colour alone.
const style = [
  'text{fill:#24292f}.b{fill:#fff}.q{fill:#57606a}',
  '.ours{fill:#0550ae}.theirs{fill:#d4731c}.floor{fill:#afb8c1}',
  '@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.b{fill:#1f1f1f}.q{fill:#a8a8a8}',
  '.ours{fill:#6cb6ff}.theirs{fill:#c4651a}.floor{fill:#656c76}}',
].join('');

/** As bars, of which the longest of each story has the same length. */
export function svgOf(stories: readonly Story[], about: string): string {
  const heights = stories.map(({ bars }) => bars.length * barHeight + gap);
  const tops = heights.map((_, index) => heights.slice(0, index).reduce((a, b) => a + b, top));
  const height = heights.reduce((a, b) => a + b, top);
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const said = stories.map(({ headline, bars }) => {
    return `${headline}: ${bars.map(bar => `${sides[bar.side]} ${labelOf(bar)}`).join(', ')}.`;
  });
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="t d" font-family="system-ui,sans-serif" font-size="11">`,
    '<title id="t">How fast MCP Roots is, beside others: shorter is better</title>',
    `<desc id="d">${escaped(said.join(' '))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="b" width="${width}" height="${height}" rx="6"/>`,
    ...Object.entries(sides).map(([side, name], index) => legend(side, name, index)),
    `<text class="q" x="${margin}" y="44">${escaped(about)} Shorter is better.</text>`,
    ...stories.map((story, index) => drawn(story, tops[index] ?? top)),
  ];
  return `${lines.join('\n')}\n</svg>\n`;
}

function legend(side: string, name: string, index: number): string {
  const x = margin + index * 130;
  const box = `<rect class="${side}" x="${x}" y="16" width="10" height="10"/>`;
  return `${box}<text x="${x + 16}" y="25">${name}</text>`;
}

function drawn({ headline, bars }: Story, y: number): string {
  const most = Math.max(...bars.map(({ figure }) => figure.amount));
  const lines = bars.map((bar, index) => {
    const from = y + index * barHeight;
    const length = Math.max(1, Math.round((bar.figure.amount / most) * longest));
    const box = `<rect class="${bar.side}" x="${barsAt}" y="${from}" width="${length}" height="10"/>`;
    const label = escaped(labelOf(bar));
    return `${box}<text class="q" x="${barsAt + length + 6}" y="${from + 9}">${label}</text>`;
  });
  const middle = y + (bars.length * barHeight) / 2 + 3;
  return [`<text x="${margin}" y="${middle}">${escaped(headline)}</text>`, ...lines].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes the picture and the table into the help, whose page has a place for the table. */
export function publish(folder: string, stories: readonly Story[], about: string): void {
  const page = join(folder, 'speed.md');
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), stories, about));
  writeFileSync(join(folder, 'speed.svg'), svgOf(stories, about));
}

const place = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- end of figures -->)/;

/** @throws when the page has no place for figures. */
export function withFigures(page: string, stories: readonly Story[], about: string): string {
  if (!place.test(page)) {
    throw new Error('The page of the help has no place for figures.');
  }
  return page.replace(place, () => `\n${about}\n\n${markdownOf(stories)}\n\n`);
}
