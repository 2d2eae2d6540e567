import { roughSize } from './rough-size';

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the rough size of client events', () => {
  it.each<[string, unknown]>([
    ['texts', { content: 'so far', rendered_content: '<p>so weit, so gut: äöü – 漢字</p>'.repeat(50) }],
    ['flags and what is missing', { is_me_message: false, user_id: null, rendering_only: true }],
    ['lists of objects', { users: Array.from({ length: 40 }, (_, n) => ({ id: n, name: `person ${n}` })) }],
    ['many ids', { message_ids: Array.from({ length: 25_000 }, (_, n) => 1_000_000 + 3 * n) }],
    ['nothing', {}],
  ])('of %s is close to that of the JSON', (_, value) => {
    expect(roughSize(value) / size(value)).toBeGreaterThan(0.9);
    expect(roughSize(value) / size(value)).toBeLessThan(1.2);
  });
});
