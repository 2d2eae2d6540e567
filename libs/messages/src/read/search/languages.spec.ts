import { configurationOf } from './languages';

describe('the text search configuration of a language', () => {
  it.each([
    [undefined, 'english'],
    ['en', 'english'],
    ['en-gb', 'english'],
    ['de', 'german'],
    ['pt-BR', 'portuguese'],
    ['zh-hans', 'simple'],
    ['ja', 'simple'],
    ['', 'simple'],
  ])('%s: %s', (language, configuration) => {
    expect(configurationOf(language)).toBe(configuration);
  });
});
