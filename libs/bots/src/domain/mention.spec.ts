import { leadingMention } from './mention';

describe('the mention at the beginning of a text', () => {
  it.each([
    ['@**Converter** 1 km mi', { name: 'Converter', id: null, rest: '1 km mi' }],
    ['  @**Converter|12**\n\nhelp ', { name: 'Converter', id: 12, rest: 'help' }],
    ['@**|12**', { name: '', id: 12, rest: '' }],
    ['@**A|b|12** x', { name: 'A|b', id: 12, rest: 'x' }],
    ['@**all** @**Ann** x', { name: 'all', id: null, rest: '@**Ann** x' }],
  ])('of %j', (content, mention) => expect(leadingMention(content)).toEqual(mention));

  it.each(['1 km mi', 'hello @**Converter**', '@_**Converter** 1 km mi', '@*group* x', '`@**Converter**`', '@**\n**'])(
    'is missing in %j',
    (content) => expect(leadingMention(content)).toBeNull(),
  );
});
