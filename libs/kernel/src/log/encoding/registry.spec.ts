import type { Instant, Position, RealmId } from '../../domain/index';
import type { StoredEvent } from './registry';
import { defineEvent, t } from '../../domain/index';
import { EventRegistry, InvalidEvent, UnknownEventType } from './registry';

const stored = (more: Partial<StoredEvent>): StoredEvent => ({
  realmId: 1 as RealmId,
  position: 40 as Position,
  stream: 'thing-1',
  version: 1,
  type: 'toy.Named',
  v: 1,
  at: 0 as Instant,
  actorId: null,
  commandId: '',
  correlation: '',
  causation: null,
  client: '',
  dataText: '{}',
  sealedText: null,
  salt: null,
  commitment: null,
  leafHash: Buffer.alloc(32),
  ...more,
});

describe('the event registry', () => {
  const Named = defineEvent('toy.Named', {
    v: 3,
    data: t.Object({ size: t.Integer(), of: t.Union([t.Integer(), t.Null()]) }),
    sealed: t.Object({ name: t.String() }),
    references: ['of'],
    upcasters: {
      1: ({ data, sealed }) => ({ data: { ...(data as object), size: 0 }, sealed }),
      2: ({ data, sealed }) => ({ data: { ...(data as object), of: null }, sealed }),
    },
  });
  const registry = new EventRegistry([Named]);
  const commitment = Buffer.alloc(32);

  it('refuses types that are not declared', () => {
    expect(() => registry.check('toy.Unknown', {}, null)).toThrow(
      new InvalidEvent('event type toy.Unknown is not registered'),
    );
  });

  it('refuses what does not fit the declared shape, and reports where', () => {
    expect(() => registry.check('toy.Named', { size: 'big', of: null }, { name: 'x' })).toThrow('/size');
    expect(() => registry.check('toy.Named', { size: 1, of: null }, null)).toThrow(InvalidEvent);
  });

  it('upcasts every released version to the newest shape', () => {
    const words = { sealedText: '{"words":{"name":"x"}}', commitment };
    expect(registry.decode(stored({ v: 1, ...words }))).toMatchObject({
      data: { size: 0, of: null },
      sealed: { name: 'x' },
    });
    expect(registry.decode(stored({ v: 2, dataText: '{"size":4}', ...words })).data).toEqual({ size: 4, of: null });
    expect(registry.decode(stored({ v: 3, dataText: '{"size":4,"of":9}', ...words })).data).toEqual({ size: 4, of: 9 });
  });

  it('distinguishes erased text from text that never existed', () => {
    expect(registry.decode(stored({ v: 3, dataText: '{"size":1,"of":null}', commitment })).sealed).toBe('erased');
    const plain = new EventRegistry([defineEvent('toy.Plain', { data: t.Object({}) })]);
    expect(plain.decode(stored({ type: 'toy.Plain' })).sealed).toBeNull();
    const withAddress = stored({ type: 'toy.Plain', sealedText: '{"address":"::1"}', commitment });
    expect(plain.decode(withAddress).sealed).toBeNull();
    expect(plain.decode(stored({ type: 'toy.Plain', commitment })).sealed).toBeNull();
  });

  it('turns a distance into a position', () => {
    const event = stored({ v: 3, dataText: '{"size":1,"of":"+2"}', commitment });
    expect(registry.decode(event).data).toEqual({ size: 1, of: 42 });
  });

  describe('of a type with facts that are left out while they have their defaults', () => {
    const data = t.Object({ size: t.Integer(), marks: t.Object({ ids: t.Array(t.Integer()) }), isRed: t.Boolean() });
    const defaults = { since: 2, values: { marks: { ids: [] }, isRed: false } };
    const inVersion = (v: number) =>
      new EventRegistry([defineEvent('toy.Marked', { v, data, defaults, upcasters: { 1: (old) => old } })]);
    const plain = { size: 4, marks: { ids: [] }, isRed: false };
    const marked = { size: 0, marks: { ids: [1] }, isRed: true };
    const read = (v: number, storedIn: number, dataText: string) =>
      inVersion(v).decode(stored({ type: 'toy.Marked', v: storedIn, dataText })).data;

    it.each([
      [1, '{"isRed":false,"marks":{"ids":[]},"size":4}', '{"isRed":true,"marks":{"ids":[1]},"size":0}'],
      [2, '{"size":4}', '{"isRed":true,"marks":{"ids":[1]},"size":0}'],
    ])('version %i writes and reads all', (v, ...texts) => {
      const { data: write } = inVersion(v).writersOf('toy.Marked');
      expect([plain, marked].map(write)).toEqual(texts);
      expect(texts.map((text) => read(v, v, text))).toEqual([plain, marked]);
    });

    it('is read by the release before, and by later ones in every version', () => {
      expect(read(1, 2, '{"size":4}')).toEqual(plain);
      expect(read(2, 1, '{"isRed":false,"marks":{"ids":[]},"size":4}')).toEqual(plain);
      const any = stored({ type: 'toy.Marked', v: 2, dataText: '{"size":4}' });
      expect(inVersion(1).decodeAny(any)).toMatchObject({ type: 'toy.Marked', data: plain });
      expect(() => read(1, 3, '{"size":4}')).toThrow(UnknownEventType);
    });
  });

  it('refuses a definition without all its upcasters, and the same type twice', () => {
    expect(() => new EventRegistry([defineEvent('toy.X', { v: 2, data: t.Object({}) })])).toThrow(
      'no upcaster from version 1',
    );
    expect(() => new EventRegistry([Named, Named])).toThrow('registered twice');
  });
});
