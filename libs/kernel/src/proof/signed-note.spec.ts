import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { checkpointText, parseCheckpoint } from './checkpoint';
import { isSignedBy, parseVerifier, signNote, signatureLines, splitNote, verifierText } from './signed-note';

/** The example of C2SP signed-note. */
const EXAMPLE = {
  verifier: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  note: `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`,
};
const split = (note: string) => splitNote(note) ?? fail('no note');
const fail = (what: string): never => {
  throw new Error(what);
};
const verifierOf = (text: string) => parseVerifier(text) ?? fail('no verifier');

describe('a signed note', () => {
  it('of the specification is verified', () => {
    const verifier = verifierOf(EXAMPLE.verifier);
    expect(split(EXAMPLE.note).text).toBe('This is an example message.\n');
    expect(isSignedBy(split(EXAMPLE.note), verifier)).toBe(true);
    expect(isSignedBy(split(EXAMPLE.note.replace('example message', 'other message')), verifier)).toBe(false);
    expect(isSignedBy(split(EXAMPLE.note.replace('example.com/foo', 'example.com/bar')), verifier)).toBe(false);
  });

  it('is signed as verifiers expect it, and deterministically', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const text = verifierText('chat.example.com/log', privateKey);
    const note = signNote('two\nlines\n', 'chat.example.com/log', privateKey);
    expect(note).toBe(signNote('two\nlines\n', 'chat.example.com/log', privateKey));
    expect(isSignedBy(split(note), verifierOf(text))).toBe(true);
    const other = verifierText('chat.example.com/log', generateKeyPairSync('ed25519').privateKey);
    expect(isSignedBy(split(note), verifierOf(other))).toBe(false);
    // A text with empty lines ends at the last one.
    expect(split(signNote('a\n\nb\n', 'n', privateKey)).text).toBe('a\n\nb\n');
  });

  it('has the key of RFC 8032, test 1', () => {
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
    const key = createPrivateKey({
      key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
      format: 'der',
      type: 'pkcs8',
    });
    const { publicKey } = verifierOf(verifierText('rfc8032', key));
    expect(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
  });

  it.each([
    ['no separator', 'text\n— a AAAAAAAA\n'],
    ['no signature', 'text\n\n'],
    ['no line break at its end', EXAMPLE.note.trimEnd()],
    ['something else among the signatures', `${EXAMPLE.note}more\n`],
    ['a signature that is too short', 'text\n\n— a AAAA\n'],
    ['too many signatures', `text\n\n${'— a AAAAAAAA\n'.repeat(65)}`],
  ])('with %s is none', (_, note) => {
    expect(splitNote(note)).toBeNull();
  });

  it.each([
    ['another id', EXAMPLE.verifier.replace('530d903a', '530d903b')],
    ['another name', EXAMPLE.verifier.replace('foo', 'bar')],
    ['an unknown type', EXAMPLE.verifier.replace('+Aek', '+Bek')],
    ['no key', 'example.com/foo+530d903a+'],
    ['a space in its name', EXAMPLE.verifier.replace('/foo', '/f o')],
    ['nothing', ''],
  ])('has no verifier with %s', (_, text) => {
    expect(parseVerifier(text)).toBeNull();
  });

  it('may have lines of witnesses, which are signatures of a time and the text', () => {
    const lines = signatureLines(EXAMPLE.note.slice(EXAMPLE.note.indexOf('—')));
    expect(lines?.map(({ name, id }) => [name, id.toString('hex')])).toEqual([['example.com/foo', '530d903a']]);
    expect(signatureLines('— witness AAAA')).toBeNull();
  });
});

describe('the text of a checkpoint', () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

  it('is that of the specification', () => {
    const checkpoint = parseCheckpoint(text) ?? fail('none');
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(checkpointText(checkpoint)).toBe(text);
    expect(parseCheckpoint(`${text}extension\n`)).toEqual(checkpoint);
  });

  it.each([
    ['a size with a zero in front', text.replace('20852163', '020852163')],
    ['a size that is no number', text.replace('20852163', 'many')],
    ['a root of another length', text.replace('CsUY', 'CsU')],
    ['no origin', text.slice(text.indexOf('\n'))],
    ['two lines', 'origin\n5\n'],
  ])('with %s is none', (_, wrong) => {
    expect(parseCheckpoint(wrong)).toBeNull();
  });
});
