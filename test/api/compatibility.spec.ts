import { readFileSync } from 'node:fs';
import { COMPATIBILITY, compatibility, gaps, served } from './compatibility';

describe('the table of endpoints', () => {
  const routes = new Set(served().map(({ endpoint }) => endpoint));

  it('is the output of `npm run compatibility`', async () => {
    expect(readFileSync(COMPATIBILITY, 'utf8')).toBe(await compatibility());
  });

  it('counts what Annals adds apart from the documented interface', () => {
    const added = served().filter(({ isAddition }) => isAddition);
    expect(added.map(({ endpoint }) => endpoint)).toContain('GET /audit/events');
    expect(gaps().filter(({ endpoint }) => added.some((one) => one.endpoint === endpoint))).toEqual([]);
  });

  it('marks unserved endpoints as missing, and served ones as partial', () => {
    expect(gaps().length).toBeGreaterThan(20);
    const wrong = gaps().filter(({ endpoint, state }) => routes.has(endpoint) === (state === 'missing'));
    expect(wrong).toEqual([]);
  });

  it('names each gap once, with a note', () => {
    const names = gaps().map(({ endpoint }) => endpoint);
    expect(new Set(names).size).toBe(names.length);
    expect(gaps().filter(({ note }) => note === '')).toEqual([]);
  });
});
