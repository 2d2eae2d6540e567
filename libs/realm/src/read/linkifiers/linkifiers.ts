import type { RegisterBlock } from '@annals/kernel';
import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import { LinkifierSet, NO_LINKIFIERS } from '@annals/markdown';
import type { ClientBase, Pool } from 'pg';
import type { OwnLinkifier } from '../../domain/linkifiers/linkifiers';
import { linkifiersAt } from '../../domain/linkifiers/linkifiers';

interface Row {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** The linkifiers in their order. */
export async function readLinkifiers(client: Pool | ClientBase, realmId: RealmId): Promise<OwnLinkifier[]> {
  const { rows } = await client.query<Row>({
    name: 'realm-linkifiers',
    text: `SELECT linkifier_id AS id, pattern, url_template AS "urlTemplate", example_input AS "exampleInput",
        reverse_template AS "reverseTemplate", alternative_url_templates AS "alternativeUrlTemplates"
      FROM view.realm_linkifiers WHERE realm_id = $1 ORDER BY ordered_position, rank`,
    values: [realmId],
  });
  return rows.map(({ id, pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates: others }) => ({
    id,
    text: {
      pattern,
      urlTemplate,
      ...(exampleInput !== null && { exampleInput }),
      ...(reverseTemplate !== null && { reverseTemplate }),
      ...(others.length > 0 && { alternativeUrlTemplates: [...others] }),
    },
  }));
}

/** Linkifiers as texts are matched against them. */
const setOf = (linkifiers: readonly OwnLinkifier[]): LinkifierSet =>
  linkifiers.length === 0 ? NO_LINKIFIERS : new LinkifierSet(linkifiers.map(({ text }) => text));

/** The linkifiers of now, ready for matching. */
export const readLinkifierSet = async (client: Pool | ClientBase, realmId: RealmId): Promise<LinkifierSet> =>
  setOf(await readLinkifiers(client, realmId));

/** The linkifiers right after the event at a position, ready for matching. @param events of their stream */
export const linkifierSetAt = (events: readonly Recorded[], position: Position): LinkifierSet =>
  setOf(linkifiersAt(events, position));

/** contract/boot.md section 4.1 */
export const presentLinkifier = ({ id, text }: OwnLinkifier) => ({
  id,
  pattern: text.pattern,
  url_template: text.urlTemplate,
  example_input: text.exampleInput ?? null,
  reverse_template: text.reverseTemplate ?? null,
  alternative_url_templates: text.alternativeUrlTemplates ?? [],
});

/** Clients that do not know URL templates receive no linkifiers (contract/realtime.md section 2.1). */
export const linkifiersRegisterBlock: RegisterBlock = {
  keys: ['realm_linkifiers'],
  read: async ({ client, realmId }, _by, { capabilities }) => {
    const known = capabilities.linkifier_url_template ? await readLinkifiers(client, realmId) : [];
    return { realm_linkifiers: known.map(presentLinkifier) };
  },
};
