import type { Sentence } from './sentence.ts';

/**
 * The text so that Markdown shows it as it is. Within words, `-` and `_` mean nothing there and
 * stay, so that most names can be read in the source as well.
 */
export function inMarkdown(text: string): string {
  return text.trim().replace(/(?!(?<=\w)[-_](?=\w))[!-/:-@[-`{-~]/g, '\\$&');
}

/** The sentence with all that was put into it shown as it is. Its own words are no Markdown. */
export function markdownSentence({ template, values }: Sentence): Sentence {
  return { template, values: values.map(inMarkdown) };
}
