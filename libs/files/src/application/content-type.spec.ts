import { contentTypeOf, isInert } from './content-type';

describe('the type of a file', () => {
  it.each([
    ['image/png', 'x', 'image/png'],
    ['Text/Plain; charset=latin1', 'x', 'text/plain'],
    ['application/octet-stream', 'x.PDF', 'application/pdf'],
    ['', 'x.jpeg', 'image/jpeg'],
    ['text/plain', 'x.png', 'image/png'],
    ['text/plain', 'page.html', 'text/html'],
    ['text/plain', 'Makefile', 'text/plain'],
    ['', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['', 'Makefile', 'application/octet-stream'],
    ['', 'png', 'application/octet-stream'],
    ['', 'constructor', 'application/octet-stream'],
    ['', 'x.constructor', 'application/octet-stream'],
    ['text/html\r\nX: y', 'x', 'application/octet-stream'],
    ['nonsense', 'x.txt', 'text/plain'],
    [`a/${'b'.repeat(100)}`, 'x', 'application/octet-stream'],
  ])('that is declared as %j and named %j is %s', (said, name, type) => expect(contentTypeOf(said, name)).toBe(type));

  it('is shown inline if nothing in it can run', () => {
    expect(['image/png', 'application/pdf', 'text/plain', 'video/webm'].filter(isInert)).toHaveLength(4);
    expect(['text/html', 'image/svg+xml', 'text/xml', 'application/octet-stream', ''].filter(isInert)).toEqual([]);
  });
});
