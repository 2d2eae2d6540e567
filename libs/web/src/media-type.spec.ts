import { preferredType } from './media-type';

describe('the media type that a caller prefers', () => {
  const offered = ['application/json', 'text/event-stream'] as const;

  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream; charset=utf-8', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['application/json;q=0.5, text/event-stream;q=0.9', 'text/event-stream'],
    ['text/event-stream;q=0, application/json;q=0.1', 'application/json'],
    ['text/event-stream;q=0', undefined],
    ['*/*', undefined],
    ['text/*', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is in %p %p', (accept, preferred) => {
    expect(preferredType(accept, offered)).toBe(preferred);
  });
});
