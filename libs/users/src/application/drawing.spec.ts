import { PIXEL, picture } from '../../../../test/support/pictures';
import { Drawing } from './drawing';

const settled = async (drawings: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(drawings)).map((one) =>
    one.status === 'fulfilled' ? 'drawn' : (one.reason as Error).message,
  );

describe('drawing', () => {
  it('gives the same picture for the same bytes, small ones drawn larger', async () => {
    const drawing = new Drawing();
    const [one, other] = [await drawing.avatar(PIXEL), await drawing.avatar(PIXEL)];
    expect(Buffer.compare(one.medium, other.medium)).toBe(0);
    expect(one.medium.length).toBeGreaterThan(one.small.length);
  });

  it('goes on after what could not be drawn', async () => {
    const drawing = new Drawing();
    const broken = 'Could not decode image; did you upload an image file?';
    const cut = (await picture('jpeg')).slice(0, 200);
    const none = new Uint8Array([1, 2, 3]);
    const all = [PIXEL, cut, none, PIXEL].map((bytes) => drawing.avatar(bytes));
    expect(await settled(all)).toEqual(['drawn', broken, 'Invalid image format', 'drawn']);
  });

  it('lets only so many wait', async () => {
    const drawing = new Drawing();
    const all = await settled(Array.from({ length: 34 }, () => drawing.avatar(PIXEL)));
    expect(all.filter((one) => one !== 'drawn')).toEqual(Array(2).fill('too many pictures wait to be drawn'));
    expect(await settled([drawing.avatar(PIXEL)])).toEqual(['drawn']);
  });
});
