import { whyUnsuitable } from './suitable-database';

describe('a database', () => {
  it.each([
    [{ encoding: 'UTF8', version: 150_000 }, undefined],
    [{ encoding: 'UTF8', version: 180_001 }, undefined],
    [{ encoding: 'UTF8', version: 140_019 }, 'PostgreSQL 14 is too old. Annals needs 15 or newer.'],
    [
      { encoding: 'LATIN1', version: 180_001 },
      "The database has the encoding LATIN1. Create it with ENCODING 'UTF8' TEMPLATE template0.",
    ],
  ])('with %j', (facts, sentence) => expect(whyUnsuitable(facts)).toBe(sentence));
});
