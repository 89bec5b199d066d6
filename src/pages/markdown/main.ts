import { Lexer } from 'marked';
import type { FromLexer } from './markdownTokens.ts';

// Runs in a worker: for some texts the lexer takes for ever, which must not stop the page.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  say('begun');
  say([...new Lexer({ gfm: true, breaks: true }).lex(data)]);
});

function say(message: FromLexer): void {
  postMessage(message);
}
