import { outsideFencedCode } from './outside-code';

describe('a text without fenced code', () => {
  it.each([
    ['no code', 'no code'],
    ['a `word` in it', 'a `word` in it'],
    ['one\n```\nword\n```\ntwo', 'one\n\n\n\ntwo'],
    ['one\n~~~ python\nword\n~~~\ntwo', 'one\n\n\n\ntwo'],
    ['```math\nword\n```', '\n\n'],
    ['```\nword, to the end', '\n'],
    ['````\n```\nword\n````\ntwo', '\n\n\n\ntwo'],
    ['```quote\nword\n```', '\nword\n'],
    ['```quote\nword\n~~~\ncode\n~~~\nword\n```\ntwo', '\nword\n\n\n\nword\n\ntwo'],
    ['```spoiler the end\nword\n```', 'the end\nword\n'],
    ['``` is a fence `word`', '``` is a fence `word`'],
  ])('%j', (text, kept) => {
    expect(outsideFencedCode(text)).toBe(kept);
  });
});
