import { Ber, BerWriter, PagedResultsControl, ProtocolOperation } from 'ldapts';

/** An entry of a directory. A password makes it an entry that can log in. */
export interface FakeEntry {
  readonly dn: string;
  readonly password?: string;
  readonly attributes: Readonly<Record<string, readonly (string | Buffer)[]>>;
}

const { LBER_SET, LDAP_CONTROLS, LDAP_RES_SEARCH_ENTRY, LDAP_RES_SEARCH_REF } = ProtocolOperation;

/** The end of an answer, with a cookie if it is a page of a search. */
export function resultMessage(
  operation: number,
  messageId: number,
  code: number,
  { text = '', cookie }: { readonly text?: string; readonly cookie?: string } = {},
): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(messageId);
  writer.startSequence(operation);
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString(text);
  writer.endSequence();
  if (cookie !== undefined) {
    writer.startSequence(LDAP_CONTROLS);
    new PagedResultsControl({ value: { size: 0, cookie: Buffer.from(cookie) } }).write(writer);
    writer.endSequence();
  }
  writer.endSequence();
  return writer.buffer;
}

/** One entry that a search found, with the attributes that were asked for. */
export function entryMessage(messageId: number, { dn, attributes }: FakeEntry, wanted: readonly string[]): Buffer {
  const writer = begun(messageId, LDAP_RES_SEARCH_ENTRY);
  writer.writeString(dn);
  writer.startSequence();
  for (const [name, values] of Object.entries(attributes)) {
    if (!wanted.some((one) => typeOf(one) === typeOf(name))) continue;
    writer.startSequence();
    writer.writeString(name);
    writer.startSequence(LBER_SET);
    for (const value of values) writer.writeBuffer(Buffer.from(value as string), Ber.OctetString);
    writer.endSequence();
    writer.endSequence();
  }
  writer.endSequence();
  return ended(writer);
}

/** The name of an attribute without options such as `;range=0-9`. */
const typeOf = (name: string): string | undefined => name.toLowerCase().split(';')[0];

/** A reference to another server. */
export function referenceMessage(messageId: number, url: string): Buffer {
  const writer = begun(messageId, LDAP_RES_SEARCH_REF);
  writer.writeString(url);
  return ended(writer);
}

function begun(messageId: number, operation: number): BerWriter {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(messageId);
  writer.startSequence(operation);
  return writer;
}

function ended(writer: BerWriter): Buffer {
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}
