import type { GroupId } from '@annals/kernel/domain';
import { translator } from '@annals/languages';
import { listedNames, localeOf, reasonText } from './texts';

const t = translator('en');

describe('names in a mail', () => {
  it.each([
    [['Ann'], 0, 'Ann'],
    [['Ann', 'Bob'], 0, 'Ann and Bob'],
    [['Ann', 'Bob', 'Cat'], 0, 'Ann, Bob, and Cat'],
    [['Ann', 'Bob', 'Cat', 'Dan'], 0, 'Ann, Bob, Cat and 1 other person'],
    [['Ann'], 2, 'Ann and 2 other people'],
  ])('are listed: %j and %i more', (names, unnamed, text) => {
    expect(listedNames(names, 'en', t, unnamed)).toBe(text);
  });

  it('count the others in the plural form of the language', () => {
    const others = [1, 2, 5].map((unnamed) => listedNames(['Ann'], 'pl', translator('pl'), unnamed));
    expect(others).toEqual(['Ann i 1 inna osoba', 'Ann i 2 inne osoby', 'Ann i 5 innych osób']);
  });

  it('are listed in the language of the reader, or in English where JavaScript does not know it', () => {
    expect(listedNames(['Ann', 'Bob'], 'de', t)).toBe('Ann und Bob');
    expect([localeOf('zh-hans'), localeOf('bqi')]).toEqual(['zh-hans', 'en']);
  });
});

describe('the reason of a mail', () => {
  const because = (trigger: Parameters<typeof reasonText>[0][number]['trigger'], group?: string) => ({
    trigger,
    mentionedBy: group === undefined ? null : { id: 1 as GroupId, name: group },
  });

  it('is the strongest one of all messages, and a name is stronger than a group', () => {
    expect(reasonText([because('channel'), because('mention', 'crew'), because('mention')], t)).toMatch(
      /you were mentioned/,
    );
    expect(reasonText([because('channel'), because('mention', 'crew')], t)).toMatch(/the group crew was mentioned/);
    expect(reasonText([because('channel'), because('followed topic')], t)).toMatch(/you follow the topic/);
  });
});
