import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { createPrivateKey } from 'node:crypto';
import { blake2b } from './blake2b';
import { newKeyPair, opened, sealed } from './sealed-box';

const hex = (text: string) => Buffer.from(text, 'hex');
const counting = (length: number) => Uint8Array.from({ length }, (_, n) => n);

describe('BLAKE2b', () => {
  // RFC 7693, appendix A.
  it('has the result of the RFC', () => {
    expect(blake2b(Buffer.from('abc'), 64).toString('hex')).toBe(
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1' +
        '7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    );
  });

  // Python's hashlib.blake2b(message, digest_size=length).
  it.each<[messageLength: number, length: number, digest: string]>([
    [0, 24, 'ab3b5331a7135ed50d0f182d026e60abdb3646fd51bcf8a3'],
    [64, 24, 'aa054507b4916837a6d2b35b1ce7c525facdb7868ed55a8a'],
    [128, 24, '2f5f6c3d92c87ec6916cd0034fea92dfd83b28dc91485d41'],
  ])('of %i bytes, %i long, is what another implementation gives', (messageLength, length, digest) => {
    expect(blake2b(counting(messageLength), length).toString('hex')).toBe(digest);
  });

  it('accepts at most one block', () => {
    expect(() => blake2b(counting(129), 24)).toThrow(RangeError);
  });
});

/** Before the 32 bytes of an X25519 private key in DER. */
const DER = hex('302e020100300506032b656e04220420');
const owner = {
  publicKey: hex('8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f'),
  privateKey: createPrivateKey({ key: Buffer.concat([DER, counting(32)]), format: 'der', type: 'pkcs8' }),
};
/** By crypto_box_seal of libsodium, for the key of the bytes 0 to 31. */
const BOX = hex(
  'be170a99a1de599890a0d52b2a7db96d6323916ba933bc1ad3dfa1e0fec38e37bc662a44886bee979c300234c1d40567' +
    'e2c7bdfa25481f231313729423eb0d98466fe8daf93ee45c2a01156075a51f2a4681187576f15588740c61509d091876' +
    '856b731830cc9f311f',
);

describe('a sealed box', () => {
  it('of libsodium can be opened', () => {
    expect(opened(BOX, owner)).toBe('{"token":"abc","token_kind":"fcm","timestamp":1767225600}');
  });

  it('of this implementation can be opened by its owner only, and differs each time', () => {
    const [one, two] = [sealed('text', owner.publicKey), sealed('text', owner.publicKey)];
    expect(opened(one, owner)).toBe('text');
    expect(one.equals(two)).toBe(false);
    expect(() => opened(one, newKeyPair())).toThrow();
  });

  it('that was changed or truncated cannot be opened', () => {
    for (const at of [0, 40, BOX.length - 1]) {
      const other = Buffer.from(BOX);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(() => opened(other, owner)).toThrow();
    }
    expect(() => opened(BOX.subarray(0, -1), owner)).toThrow();
    expect(() => opened(Buffer.alloc(0), owner)).toThrow();
  });
});

test('notifications are locked as crypto_secretbox of libsodium locks', () => {
  const locked = xsalsa20poly1305(counting(32), counting(24)).encrypt(Buffer.from('{"type":"test"}'));
  expect(Buffer.from(locked).toString('hex')).toBe('1a4f9a227e9a83605fb46c89f339131225dd4c36b7af802a9948ea4d1cad37');
});
