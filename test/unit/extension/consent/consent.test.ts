import { rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { Consent } from '../../../../src/extension/consent/consent.ts';
import type { Screen } from '../../../../src/extension/screen.ts';
import { recordsIn } from '../../../support/memory.ts';
import { accessOf, exclusion, folder, shownServer } from '../../../support/shownServer.ts';

const consent = new Consent(recordsIn(), { add: () => {} }, {} as Screen);

test('a review without a folder to pick says what keeps every answer from helping', async () => {
  const [web, docs] = [folder('web'), folder('docs')];
  const why = [
    [accessOf(), /^No folder is open in the window/],
    [accessOf(exclusion(web, 'restricted')), /^In Restricted Mode no server starts/],
    [accessOf(exclusion(web, 'not-file')), /^The folders of the window are not on disk/],
    [accessOf(exclusion(web, 'missing'), exclusion(docs, 'forbidden')), /^No answer can change/],
  ] as const;
  for (const [access, message] of why) {
    await rejects(consent.review(shownServer({ access })), { message });
  }
});
