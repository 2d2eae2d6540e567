import { MAX_LINK_LENGTH, isWebLink } from './links';

describe('web addresses', () => {
  it.each([
    'https://example.com',
    'http://example.com',
    'HTTPS://Example.COM/Path?x=1#there',
    'https://example.com:8080/',
    'https://user@example.com/a%20b',
    'http://localhost:9991/#narrow',
    'http://127.0.0.1',
    'http://[::1]/',
    'https://bücher.example/',
    `https://example.com/${'x'.repeat(MAX_LINK_LENGTH - 20)}`,
  ])('%s is one', (text) => expect(isWebLink(text)).toBe(true));

  it.each([
    '',
    'example.com',
    'www.example.com',
    '//example.com',
    'https:example.com',
    'https:/example.com',
    'https://',
    'https:///example.com',
    'https://intranet',
    'https://.',
    'https://a b.example',
    'https://example.com/a b',
    'https://example.com/\n',
    ' https://example.com',
    'https://example.com\\@evil.example',
    'https://exa<mple.com',
    'https://example.com:99999',
    'ftp://example.com',
    'javascript://example.com/%0aalert(1)',
    'javascript:alert(1)',
    'data:text/html,x',
    `https://example.com/${'x'.repeat(MAX_LINK_LENGTH)}`,
  ])('%s is none', (text) => expect(isWebLink(text)).toBe(false));
});
