import { parseDocument } from 'htmlparser2';

type Children = ReturnType<typeof parseDocument>['children'];

/** The issuer that a response names. Nothing is verified: it only chooses the provider whose signature is then required. */
export function issuerOf(xml: string): string | undefined {
  const response = child(parseDocument(xml, { xmlMode: true }).children, 'Response');
  const issuer = child(response, 'Issuer') ?? child(child(response, 'Assertion'), 'Issuer');
  return issuer
    ?.map((node) => ('data' in node ? node.data : ''))
    .join('')
    .trim();
}

/** The children of the first child with this name, whatever its prefix is. */
function child(nodes: Children | undefined, name: string): Children | undefined {
  for (const node of nodes ?? []) {
    if ('attribs' in node && node.name.slice(node.name.indexOf(':') + 1) === name) return node.children;
  }
  return undefined;
}
