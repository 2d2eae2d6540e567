import { formatOf } from './formats';

describe('the format of a whole trail', () => {
  it.each([
    [undefined, 'ndjson'],
    ['*/*', 'ndjson'],
    ['application/json', 'ndjson'],
    ['text/csv', 'csv'],
    ['Text/CSV; header=present', 'csv'],
    ['text/csv, application/x-ndjson', 'csv'],
    ['application/x-ndjson, text/csv', 'ndjson'],
    ['text/csv;q=0.1, application/x-ndjson', 'ndjson'],
    ['application/x-ndjson;q=0.5, text/csv;q=0.9', 'csv'],
    ['text/csv;q=0', 'ndjson'],
  ])('for %s is %s', (accept, extension) => {
    expect(formatOf(accept).extension).toBe(extension);
  });
});
