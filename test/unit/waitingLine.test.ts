import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WaitingLine } from '../../src/base/waitingLine.ts';

const forever = new AbortController().signal;

describe('a line of those who wait', () => {
  it('is called one by one, in the order in which they came', async () => {
    const line = new WaitingLine();
    const called: string[] = [];
    const waiting = ['a', 'b', 'c'].map(name => line.join(forever).then(() => called.push(name)));
    assert.equal(line.length, 3);
    assert.equal(line.callNext(), true);
    await waiting[0];
    assert.deepEqual([called, line.length], [['a'], 2]);
    line.callAll();
    await Promise.all(waiting);
    assert.deepEqual([called, line.length], [['a', 'b', 'c'], 0]);
    assert.equal(line.callNext(), false);
  });

  it('is left by those who do not want to wait any more, and their turn goes to the next', async () => {
    const line = new WaitingLine();
    const impatient = new AbortController();
    const left = line.join(impatient.signal);
    const stayed = line.join(forever);
    impatient.abort(new Error('enough'));
    await assert.rejects(left, /enough/);
    assert.equal(line.length, 1);
    line.callNext();
    await stayed;
  });

  it('does not take in who has given up before, and does not mind who gives up when called', async () => {
    const line = new WaitingLine();
    await assert.rejects(line.join(AbortSignal.abort(new Error('before'))), /before/);
    assert.equal(line.length, 0);
    const late = new AbortController();
    const called = line.join(late.signal);
    line.callNext();
    late.abort();
    await called;
  });
});
