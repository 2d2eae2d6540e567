import { generateKeyPairSync, sign } from 'node:crypto';

/** A private key with a certificate that it signed itself, both as PEM. */
export interface Certified {
  readonly privateKey: string;
  readonly certificate: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** Makes a key and a certificate for it, of RSA, as identity providers of SAML have them. */
export function certified(commonName: string): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(oid('1.2.840.113549.1.1.11'), Buffer.from([0x05, 0x00]));
  const name = sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(time(Date.now() - DAY), time(Date.now() + 365 * DAY));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const content = sequence(version, der(0x02, Buffer.from([1])), algorithm, name, validity, name, key);
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]));
  const body = sequence(content, algorithm, signature).toString('base64').replaceAll(/.{64}/g, '$&\n').trim();
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value of ASN.1 in DER. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));

/** UTCTime: `YYMMDDhhmmssZ`. */
const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (value: number): number[] => {
    const low = [value & 0x7f];
    for (let high = value >> 7; high > 0; high >>= 7) low.unshift((high & 0x7f) | 0x80);
    return low;
  };
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}
