import { leadingMention } from './leading-mention';

describe('the mention at the beginning of a text', () => {
  it.each([
    ['@**Converter** 1 km mi', { user: { name: 'Converter' }, rest: '1 km mi' }],
    ['  @**Converter|12**\n\nhelp ', { user: { name: 'Converter', id: 12 }, rest: 'help' }],
    ['@**|12**', { user: { id: 12 }, rest: '' }],
    ['@**A|b|12** x', { user: { name: 'A|b', id: 12 }, rest: 'x' }],
    ['@**all** @**Ann** x', { user: { name: 'all' }, rest: '@**Ann** x' }],
  ])('of %j', (content, mention) => expect(leadingMention(content)).toEqual(mention));

  it.each(['1 km mi', 'hello @**Converter**', '@_**Converter** 1 km mi', '@*group* x', '`@**Converter**`', '@**\n**'])(
    'is missing in %j',
    (content) => expect(leadingMention(content)).toBeNull(),
  );
});
