import { ReadyJson } from '@annals/kernel/domain';
import { textWithReadyParts } from './answer-text';

it('writes ready parts as they are, and the rest as JSON', () => {
  const answer = { result: 'success', many: new ReadyJson('[{"a":1}]'), 'na"me': { b: [null] }, none: undefined };
  const text = textWithReadyParts(answer);
  expect(text).toBe('{"result":"success","many":[{"a":1}],"na\\"me":{"b":[null]}}');
  expect(JSON.parse(text ?? '')).toEqual(JSON.parse(JSON.stringify(answer)));
});

it('leaves answers without such parts to others', () => {
  expect(textWithReadyParts({ result: 'success', nested: { many: new ReadyJson('[]') } })).toBeUndefined();
});
