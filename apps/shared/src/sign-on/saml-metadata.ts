import { parseDocument } from 'htmlparser2';

type Parsed = ReturnType<typeof parseDocument>;
type Node = Parsed['children'][number];
type Element = Extract<Node, { attribs: unknown }>;

/** What metadata of an identity provider says about it. */
export interface SamlMetadata {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** Base64, without the lines of PEM. */
  readonly certificates: readonly string[];
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/**
 * The identity providers of a metadata document that can be used: with a login by redirect and a certificate. The
 * document is the operator's, so its signature is not checked.
 */
export function readSamlMetadata(xml: string): readonly SamlMetadata[] {
  const document = parseDocument(xml, { xmlMode: true });
  return elements(document.children, 'EntityDescriptor').flatMap((entity) => {
    const providers = elements(entity.children, 'IDPSSODescriptor');
    const services = elements(providers, 'SingleSignOnService');
    const sso = services.find(({ attribs }) => attribs['Binding'] === REDIRECT);
    const entityId = entity.attribs['entityID'];
    const ssoUrl = sso?.attribs['Location'];
    const certificates = elements(providers, 'KeyDescriptor')
      .filter(({ attribs }) => attribs['use'] !== 'encryption')
      .flatMap((key) => elements(key.children, 'X509Certificate').map((one) => textOf(one).replaceAll(/\s/g, '')));
    return entityId && ssoUrl && certificates.length > 0 ? [{ entityId, ssoUrl, certificates }] : [];
  });
}

const isElement = (node: Node): node is Element => 'attribs' in node;

/** The name without the prefix of its namespace. */
const localName = ({ name }: Element): string => name.slice(name.indexOf(':') + 1);

/** All elements with this name, at any depth; not those within them. */
function elements(nodes: readonly Node[], name: string): Element[] {
  return nodes.filter(isElement).flatMap((node) => (localName(node) === name ? [node] : elements(node.children, name)));
}

const textOf = ({ children }: Element): string => children.map((child) => ('data' in child ? child.data : '')).join('');
