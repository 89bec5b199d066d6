import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { markdownOf, type Story, storiesOf, svgOf, withFigures } from '../bench/report.ts';
import type { Row } from '../bench/row.ts';

const milliseconds = (amount: number) => ({ amount, unit: 'ms' });

const read: Row = {
  what: 'read 1 KB',
  against: 'files 2',
  role: 'theirs',
  ours: milliseconds(0.1),
  theirs: milliseconds(0.4),
  value: 0.25,
  unit: '×',
  headline: 'Read <1 KB>',
};

const stories: readonly Story[] = storiesOf([
  read,
  { ...read, against: 'files 1', theirs: milliseconds(5) },
  { ...read, against: 'raw child', role: 'floor', theirs: milliseconds(0.05) },
  { ...read, what: 'read it twice', headline: undefined },
  { ...read, headline: 'List', ours: milliseconds(3), theirs: milliseconds(2) },
]);

/** What stands in the attribute of each element of that class. */
function attributes(svg: string, of: string, attribute: string): readonly string[] {
  const bars = svg.matchAll(new RegExp(`<rect class="${of}"[^>]* ${attribute}="(\\d+)"`, 'g'));
  return [...bars].map(([, value = '']) => value);
}

describe('what the help shows', () => {
  test('has one line for each headline, with the first of several others', () => {
    equal(
      markdownOf(stories),
      [
        '|  | MCP Roots | reference server | floor |',
        '| --- | ---: | ---: | ---: |',
        '| Read <1 KB> | 0.10 ms | 0.40 ms | 0.050 ms (raw child) |',
        '| List | 3 ms | 2 ms |  |',
      ].join('\n'),
    );
  });

  test('has bars as long as the figures of their story, behind those of the legend', () => {
    const svg = svgOf(stories, 'Of today.');
    deepEqual(
      ['ours', 'theirs', 'floor'].map(side => attributes(svg, side, 'width')),
      [
        ['10', '63', '250'],
        ['10', '250', '167'],
        ['10', '31'],
      ],
    );
    const lowest = attributes(svg, 'theirs', 'y').map(Number).at(-1) ?? Number.NaN;
    ok(lowest + 10 <= Number(/height="(\d+)"/.exec(svg)?.[1]));
  });

  test('says to who does not see it what it shows, and holds no markup of others', () => {
    const svg = svgOf(stories, 'Node <24> & more.');
    match(svg, /role="img" aria-labelledby="t d"/);
    match(svg, /<title id="t">[^<]+<\/title>/);
    match(
      svg,
      /<desc id="d">Read &lt;1 KB&gt;: MCP Roots 0\.10 ms, reference server 0\.40 ms, floor 0\.050 ms \(raw child\)\. List: /,
    );
    ok(svg.includes('Node &lt;24&gt; &amp; more.'));
    ok(!svg.includes('<1 KB>'));
  });

  test('takes its place in the page, and the place of older figures', () => {
    const page = 'Before.\n<!-- figures -->\n<!-- end of figures -->\nBehind.\n';
    const first = withFigures(page, stories.slice(0, 1), 'Of $& yesterday.');
    const second = withFigures(first, stories, 'Of today.');
    equal(
      second,
      `Before.\n<!-- figures -->\n\nOf today.\n\n${markdownOf(stories)}\n\n<!-- end of figures -->\nBehind.\n`,
    );
    ok(first.includes('Of $& yesterday.'));
    throws(() => withFigures('No place.', stories, ''), /no place for figures/);
  });
});

test('the picture and the table of the help have the same figures', () => {
  const help = join(import.meta.dirname, '..', '..', 'media', 'help');
  const [page, svg] = ['speed.md', 'speed.svg'].map(name =>
    readFileSync(join(help, name), 'utf8'),
  ) as [string, string];
  const cells = [...page.matchAll(/^\| (?!-)(.+) \|$/gm)]
    .slice(1)
    .flatMap(([, row = '']) => row.split(' | ').map(cell => cell.trim()))
    .filter(cell => cell !== '');
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  ok(cells.length > 40, `${cells.length} figures`);
  deepEqual([...texts.slice(4)].sort(), [...cells].sort());
  ok(svg.length < 12 * 1024, `${svg.length} bytes`);
});
